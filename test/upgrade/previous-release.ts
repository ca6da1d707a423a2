/** The commit that the release before this one was made from. Making a release sets it. */
export const previousRelease = "c30947ee90b0c40f88c4ad9908df9bf16fccfd8c";
