/* The release before this one. Making a release sets both. */

/** The commit that it was made from. */
export const previousRelease = "ccf0f01dfc6b143badf53ea82df848782bacd780";

/** The number of its last migration. */
export const lastMigration = "0137";
