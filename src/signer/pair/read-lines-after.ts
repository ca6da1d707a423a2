import { open } from "node:fs/promises";

/** A position in a file of sealed lines, after the line with `seal`. */
export type LineEnd = { readonly offset: number; readonly seal: string };

const sealLength = 64;
const chunkLength = 1024 * 1024;
const lineBreak = 0x0a;

/**
 * The end of the last line whose seal is among `seals`; null if there is none. Reads the whole file, a gigabyte in about a second
 * from the page cache.
 */
export async function findLineEnd(path: string, seals: readonly string[]): Promise<LineEnd | null> {
  const wanted = new Set(seals);
  let found: LineEnd | null = null;
  for await (const line of linesFrom(path, 0)) {
    const seal = sealOf(line.bytes);
    if (wanted.has(seal)) found = { offset: line.end, seal };
  }
  return found;
}

/**
 * The bodies of the complete lines that follow the offset, up to about `bytesMax` but at least one, and where they end; null if
 * there is none. A line that is being written is left out.
 */
export async function readLinesAfter(
  path: string,
  offset: number,
  bytesMax: number,
): Promise<{ readonly lines: readonly string[]; readonly end: LineEnd } | null> {
  const lines: string[] = [];
  let end: LineEnd | null = null;
  for await (const line of linesFrom(path, offset)) {
    lines.push(line.bytes.toString("utf8", 0, line.bytes.length - sealLength - 1));
    end = { offset: line.end, seal: sealOf(line.bytes) };
    if (line.end - offset >= bytesMax) break;
  }
  return end === null ? null : { lines, end };
}

function sealOf(line: Buffer): string {
  return line.toString("latin1", line.length - sealLength);
}

/** Each complete line without its line break, and where the next one begins. */
async function* linesFrom(
  path: string,
  offset: number,
): AsyncGenerator<{ readonly bytes: Buffer; readonly end: number }> {
  const file = await open(path, "r");
  try {
    let rest = Buffer.alloc(0);
    for (let position = offset; ; ) {
      const { buffer, bytesRead } = await file.read(
        Buffer.allocUnsafe(chunkLength),
        0,
        chunkLength,
        position,
      );
      if (bytesRead === 0) return;
      const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      const first = position - rest.length;
      position += bytesRead;
      let start = 0;
      for (let at = bytes.indexOf(lineBreak); at !== -1; at = bytes.indexOf(lineBreak, start)) {
        yield { bytes: bytes.subarray(start, at), end: first + at + 1 };
        start = at + 1;
      }
      rest = bytes.subarray(start);
    }
  } finally {
    await file.close();
  }
}
