import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

/** What a stream contained. */
export type Measure = {
  readonly bytes: number;
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
  /** How many lines follow the first one. */
  readonly lines: number;
};

type Chunks = AsyncIterable<Uint8Array>;

const lineBreak = 0x0a;

/** Measures what `consume` reads; without it, reads to the end. Holds one chunk at a time: journals grow without a bound. */
export async function measureStream(
  chunks: Chunks,
  consume: (passing: Chunks) => Promise<void> = readToEnd,
): Promise<Measure> {
  const hash = createHash("sha256");
  let bytes = 0;
  let lineBreaks = 0;
  async function* passing(): Chunks {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      lineBreaks += countLineBreaks(chunk);
      yield chunk;
    }
  }
  await consume(passing());
  return { bytes, sha256: hash.digest("hex"), lines: Math.max(0, lineBreaks - 1) };
}

/** The first `bytes` bytes of a file, or all. Opens the file when the first chunk is asked for. */
export async function* readChunks(path: string, bytes = Number.POSITIVE_INFINITY): Chunks {
  if (bytes > 0) yield* createReadStream(path, { end: bytes - 1 });
}

/** Without what follows the last line break, of which it holds only as much as no line break has followed yet. */
export async function* wholeLines(chunks: Chunks): Chunks {
  let unfinished: Uint8Array[] = [];
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(lineBreak) + 1;
    if (end > 0) {
      yield* unfinished;
      yield chunk.subarray(0, end);
      unfinished = [];
    }
    if (end < chunk.length) unfinished.push(chunk.subarray(end));
  }
}

function countLineBreaks(chunk: Uint8Array): number {
  let count = 0;
  for (let at = chunk.indexOf(lineBreak); at !== -1; at = chunk.indexOf(lineBreak, at + 1))
    count += 1;
  return count;
}

async function readToEnd(chunks: Chunks): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]();
  let isDone = false;
  while (!isDone) isDone = (await iterator.next()).done === true;
}
