import { existsSync } from "node:fs";
import { join } from "node:path";
import { readSeenEpoch, type SeenEpoch } from "./epoch-file.ts";
import { tokenFileName } from "./folder-tokens.ts";
import type { PairRecord } from "./witness.ts";

/** What the folder of this host's signer says. */
export type PairFolder = {
  readonly folder: string;
  /** Null if it was never in a pair. */
  readonly seen: SeenEpoch | null;
  /** See `FolderTokens`: a backup contains none. */
  readonly hasToken: boolean;
};

/** What a person says. */
export type Testimony = {
  /** What the other signer's folder says; undefined: not said. */
  readonly other: SeenEpoch | null | undefined;
  /** The other signer and its disks are lost. */
  readonly isOtherLost: boolean;
  /** This signer's folder was restored from a copy, and there is no newer one. */
  readonly isFolderRestored: boolean;
};

export async function readPairFolder(folder: string): Promise<PairFolder> {
  const hasToken = existsSync(join(folder, tokenFileName));
  return { folder, seen: await readSeenEpoch(folder), hasToken };
}

/** A lost signer and the workers may have seen later epochs than this one; each takes a start of a signer. */
const unseenEpochs = 1_000;

/**
 * The record with which `name` begins again after the witness lost the record, or has an earlier one from a backup. The active signer
 * of the newest epoch has every signature that ever left; any other may lack some, whatever an earlier record says of it. Throws
 * if this is not the one, or if that is unknown.
 */
export function beginAgain(
  name: string,
  { folder, seen, hasToken }: PairFolder,
  record: PairRecord | null,
  { other, isOtherLost, isFolderRestored }: Testimony,
): PairRecord {
  if (seen !== null && !hasToken && !isFolderRestored)
    throw new Error(
      `${folder} is a restored copy, which may lack signatures. Put the newest copies of the journals that exist there (those of the other signer may be newer), and repeat with --folder-is-restored`,
    );
  if (!isOtherLost) assertActiveInNewest(name, seen, other);
  const epochs = [record?.epoch ?? 0, seen?.epoch ?? 0, other?.epoch ?? 0];
  const epoch = Math.max(...epochs) + (isOtherLost ? unseenEpochs : 1);
  return { epoch, active: name, inSync: [name], folderToken: null };
}

/** Throws unless the person says what the other signer's folder knows. */
export function assertOtherKnown(
  other: Testimony["other"],
): asserts other is Exclude<Testimony["other"], undefined> {
  if (other === undefined)
    throw new Error(
      "the other signer may have signatures that this one lacks: run sluice signer pair show on its host, and repeat with --other-folder and what it prints as folder. If it and its disks are lost, stop payouts, restore the newest copy of its journals here if there is one, and repeat with --other-is-lost",
    );
}

function assertActiveInNewest(
  name: string,
  own: SeenEpoch | null,
  other: Testimony["other"],
): void {
  assertOtherKnown(other);
  const newest = Math.max(own?.epoch ?? 0, other?.epoch ?? 0);
  if (newest === 0) return;
  const names = [own, other].flatMap((seen) => (seen?.epoch === newest ? [seen.active] : []));
  const another = names.find((each) => each !== null && each !== name);
  // A folder of an earlier version does not say which signer was active. Then the one that saw the newest epoch decides.
  const isOwn = own?.epoch === newest || names.includes(name);
  const active = another ?? (isOwn ? name : "the other signer");
  if (active !== name)
    throw new Error(
      `${active} was active in epoch ${newest}, the newest that either folder knows, and ${name} may lack signatures: run this on the host of ${active}. If it and its disks are lost, stop payouts, restore the newest copy of its journals here if there is one, and repeat with --other-is-lost`,
    );
}
