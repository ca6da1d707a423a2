/** The longest comment of a payment, in bytes of UTF-8: with its prefix it fits one cell. */
export const commentBytesMax = 120;

/** What is wrong with a comment that a payment should carry, as a sentence; null if nothing is. */
export function commentFault(comment: string): string | null {
  if (Buffer.byteLength(comment, "utf8") > commentBytesMax)
    return `A comment may have at most ${commentBytesMax} bytes in UTF-8.`;
  return comment.isWellFormed() && !/\p{Cc}/u.test(comment)
    ? null
    : "A comment must be text without control characters.";
}
