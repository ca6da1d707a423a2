import { join } from "node:path";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { Peer } from "./peer.ts";
import { findLineEnd, readLinesAfter } from "./read-lines-after.ts";
import { type ReplicatedFile, replicatedFiles } from "./replica-protocol.ts";

const chunkBytes = 256 * 1024;
/** How often it looks for a line that is being written, 5 ms apart. */
const looksMax = 2_000;
const lookMs = 5;

/** A standby, and the files of which it has every line. These get what is added from now on. */
export type JoinedPeer = {
  readonly peer: Peer;
  readonly live: Set<ReplicatedFile | "database.mark">;
};

/** What the active signer has written. */
export type LeadingFiles = {
  readonly folder: string;
  /** See `ReplicaState`. */
  readonly policy: string;
  /** The seal of the line last handed to the mirror; null before the first. */
  readonly newestOf: (file: ReplicatedFile) => string | null;
  /** The text of the mark's file; null before the first mark. */
  readonly markText: () => string | null;
  /** Of the witness's record; null if it has none. */
  readonly folderToken: () => string | null;
  readonly clock: Clock;
};

/**
 * Brings a standby's files up to date, and resolves once all are live. What the standby has beyond these files is cut off: it
 * was written by an active signer that ended before the line was replicated, so nothing that depends on it ever left. Rejects
 * if the standby has another keystore, other limits, no recent line in common, or more lines beyond these files than a crash leaves.
 */
export async function joinPeer({ peer, live }: JoinedPeer, files: LeadingFiles): Promise<void> {
  const reply = await peer.ask({ kind: "state" });
  if (reply.kind !== "state") throw new Error("the standby did not say what it has");
  const { seals, policy } = reply.state;
  if (policy !== files.policy) {
    throw new Error("the standby has other limits, approval keys or chains: make them equal");
  }
  for (const file of replicatedFiles) {
    await catchUp(peer, file, seals[file], files, () => live.add(file));
  }
  // Once every line is there: only then is the folder what the token says.
  const token = files.folderToken();
  if (token !== null) await peer.ask({ kind: "token", token });
  let sent: string | null = null;
  while (sent !== files.markText()) {
    sent = files.markText();
    if (sent !== null) await peer.ask({ kind: "mark", text: sent });
  }
  live.add("database.mark");
}

/** Calls `onDone` in the turn in which nothing is missing. */
async function catchUp(
  peer: Peer,
  file: ReplicatedFile,
  theirs: readonly string[],
  files: LeadingFiles,
  onDone: () => void,
): Promise<void> {
  const { folder, newestOf } = files;
  const path = join(folder, file);
  let end = await findLineEnd(path, theirs);
  if (end === null) {
    throw new Error(
      `${file} of the standby is no copy of this signer's: empty the standby's folder`,
    );
  }
  const beyond = theirs.length - 1 - theirs.lastIndexOf(end.seal);
  if (beyond > 1) {
    throw new Error(
      `${file} of the standby has ${beyond} lines that this signer lacks, and a crash leaves one: one of the two folders was restored`,
    );
  }
  if (beyond === 1) await peer.ask({ kind: "cut", file, seal: end.seal });
  for (let looks = 0; looks < looksMax; ) {
    const read = await readLinesAfter(path, end.offset, chunkBytes);
    if (read === null) {
      const newest = newestOf(file);
      if (newest === null || newest === end.seal) {
        onDone();
        return;
      }
      // The newest line was read before it was handed to the mirror.
      looks += 1;
      await files.clock.sleep(lookMs);
      continue;
    }
    const { lines, end: next } = read;
    await peer.ask({ kind: "append", file, previous: end.seal, lines, seal: next.seal });
    end = next;
  }
  throw new Error(`${file}: a line is not finished`);
}
