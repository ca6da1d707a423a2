/* The release before this one. Making a release sets both. */

/** The commit that it was made from. */
export const previousRelease = "ad56a8ee18602149a12a91bb7e3b484f0291b592";

/** The number of its last migration. */
export const lastMigration = "0138";
