/* The release before this one. Making a release sets both. */

/** The commit that it was made from. */
export const previousRelease = "e1bab6c6a460f1f0d563301893c599611c4fe3aa";

/** The number of its last migration. */
export const lastMigration = "0131";
