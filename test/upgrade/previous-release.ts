/* The release before this one. Making a release sets both. */

/** The commit that it was made from. */
export const previousRelease = "a020e418c236ea8b1203ef7c0b9bf5a9343276a6";

/** The number of its last migration. */
export const lastMigration = "0137";
