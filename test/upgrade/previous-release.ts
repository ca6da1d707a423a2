/* The release before this one. Making a release sets both. */

/** The commit that it was made from. */
export const previousRelease = "746fd4a5e02eda8a8e751a3b2d7f1821f486f8e4";

/** The number of its last migration. */
export const lastMigration = "0137";
