const lineBreak = 0x0a;

/**
 * The length of the lines without a torn last one, which a crash leaves: it has no line break, or zeroes in place of its beginning.
 * Holds one chunk at a time.
 */
export async function finishedLength(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let read = 0;
  /** Of the last line with a line break. */
  let last = { start: 0, end: 0, hasZeroes: false };
  let hasZeroesSince = false;
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(lineBreak); at !== -1; at = chunk.indexOf(lineBreak, from)) {
      const hasZeroes = hasZeroesSince || chunk.subarray(from, at).includes(0);
      last = { start: last.end, end: read + at + 1, hasZeroes };
      hasZeroesSince = false;
      from = at + 1;
    }
    hasZeroesSince ||= chunk.subarray(from).includes(0);
    read += chunk.length;
  }
  return last.hasZeroes ? last.start : last.end;
}
