/* The release before this one. Making a release sets both. */

/** The commit that it was made from. */
export const previousRelease = "c30947ee90b0c40f88c4ad9908df9bf16fccfd8c";

/** The number of its last migration. */
export const lastMigration = "0127";
