import { open, readFile, stat } from "node:fs/promises";
import type { SignedSpend } from "../../src/signer/intent.ts";

/** A line of a signer's journal: what it signed, and the seal over it and all lines before it. */
export type SignedLine = Pick<SignedSpend, "sequence" | "chain" | "payoutIds" | "txid"> & {
  readonly seal: string;
};

/** By the signer's name. */
export type Journals = Readonly<Record<string, readonly SignedLine[]>>;

/** Every line that was ever in a journal: a signer that was replaced cuts off what the other one lacks, at its next start at the earliest. */
export type JournalRecord = {
  /** Takes in what is new; a journal that cannot be read now is read next time. */
  readonly update: () => Promise<void>;
  readonly lines: () => Journals;
};

type Paths = Readonly<Record<string, string>>;

export function recordJournals(paths: Paths): JournalRecord {
  const journals = Object.entries(paths).map(([name, path]) => ({
    name,
    path,
    end: 0,
    seen: new Map<string, SignedLine>(),
  }));
  return {
    update: async () => {
      for (const journal of journals) {
        const read = await readFrom(journal.path, journal.end).catch(() => null);
        if (read === null) continue;
        for (const line of read.lines) journal.seen.set(line.seal, line);
        journal.end = read.end;
      }
    },
    lines: () => Object.fromEntries(journals.map(({ name, seen }) => [name, [...seen.values()]])),
  };
}

/** What the journals contain now. */
export async function readJournals(paths: Paths): Promise<Journals> {
  const read = Object.entries(paths).map(
    async ([name, path]) => [name, await readJournal(path)] as const,
  );
  return Object.fromEntries(await Promise.all(read));
}

async function readJournal(path: string): Promise<readonly SignedLine[]> {
  return parseLines(await readFile(path));
}

/** The lines beyond `end`, or all of them after the file became shorter or was written again there. */
async function readFrom(
  path: string,
  end: number,
): Promise<{ readonly lines: readonly SignedLine[]; readonly end: number }> {
  const { size } = await stat(path);
  if (size === end) return { lines: [], end };
  const from = size < end ? 0 : end;
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    const read = buffer.subarray(0, bytesRead);
    const complete = read.lastIndexOf("\n") + 1;
    return { lines: parseLines(read.subarray(0, complete)), end: from + complete };
  } catch (error) {
    if (error instanceof SyntaxError && from > 0) return await readFrom(path, 0);
    throw error;
  } finally {
    await file.close();
  }
}

/** `BODY SEAL`, the first of which says what the file is. An incomplete last line was never acknowledged. */
function parseLines(bytes: Buffer): readonly SignedLine[] {
  const complete = bytes.subarray(0, bytes.lastIndexOf("\n") + 1).toString();
  return complete.split("\n").flatMap((line) => {
    if (line === "" || line.startsWith('{"journal":')) return [];
    if (!line.startsWith("{")) throw new SyntaxError(`no line of a journal: ${line}`);
    const split = line.lastIndexOf(" ");
    const { sequence, chain, payoutIds, txid } = JSON.parse(line.slice(0, split)) as SignedSpend;
    return [{ sequence, chain, payoutIds, txid, seal: line.slice(split + 1) }];
  });
}
