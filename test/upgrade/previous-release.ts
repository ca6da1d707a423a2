/* The release before this one. Making a release sets both. */

/** The commit that it was made from. */
export const previousRelease = "225dc97d657a60ee080c1efd3b1676ffc1227231";

/** The number of its last migration. */
export const lastMigration = "0144";
