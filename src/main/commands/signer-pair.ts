import {
  assertOtherKnown,
  beginAgain,
  type PairFolder,
  readPairFolder,
  type Testimony,
} from "../../signer/pair/begin-again.ts";
import { formatSeenEpoch, type SeenEpoch } from "../../signer/pair/epoch-file.ts";
import { createEtcdWitness } from "../../signer/pair/etcd-witness.ts";
import type { PairRecord, Witness } from "../../signer/pair/witness.ts";
import { ownSigner } from "../build/own-signer.ts";
import { witnessSettings } from "../build/signer-settings.ts";
import type { Config } from "../config/config.ts";
import { readConfig } from "../config/read-config.ts";
import type { CommandContext } from "./command-context.ts";

type Context = Pick<CommandContext, "print">;

/**
 * `sluice signer pair create`: makes this host's signer the active one of a new pair. Run it once, where the journals are: the
 * other signer copies them. Rejects if the witness has a record. If it lost the record of a pair that has signed, only the signer
 * that was active last may begin again: see `beginAgain`.
 */
export async function createPair(
  configFile: string,
  options: Testimony,
  { print }: Context,
): Promise<void> {
  const { name, peer, witness, own } = await openPairHost(configFile);
  const isFirst = own.seen === null && options.other === undefined && !options.isOtherLost;
  const record = isFirst
    ? { epoch: 1, active: name, inSync: [name], folderToken: null }
    : beginAgain(name, own, null, options);
  if ((await witness.replace(record, null)) === null)
    throw new Error("the witness has a record of this pair: see show");
  print(`${name} is the active signer of epoch ${record.epoch}. Start it, then the other one.`);
  if (options.isOtherLost) printEmptying(peer, print);
}

/** `sluice signer pair show`: prints the witness's record, and the newest epoch that this signer's folder knows. */
export async function showPair(configFile: string, { print }: Context): Promise<void> {
  const { witness, own } = await openPairHost(configFile);
  const seen = await witness.read();
  if (seen !== null) {
    const { epoch, active, inSync } = seen.record;
    print(`active   ${active}`);
    print(`in sync  ${inSync.join(", ")}`);
    print(`epoch    ${epoch}`);
  }
  print(`folder   ${formatSeenEpoch(own.seen)}`);
  if (seen === null) throw new Error("the witness has no record of this pair: see create");
  if (isOutdated(seen.record, own.seen))
    throw new Error(
      "the witness was restored from a backup: its record is older than this signer's folder, and says nothing of what was signed since",
    );
}

/**
 * `sluice signer pair take-over`: makes this host's signer the active one although it may lack entries. `isOtherLost`: those of the
 * other signer, which must never start again with its present folder. `isFolderRestored`: its own, since its folder
 * was restored from a copy. A record that is older than a folder says nothing of who lacks what: see `beginAgain`.
 */
export async function takeOverPair(
  configFile: string,
  options: Testimony,
  { print }: Context,
): Promise<void> {
  const { name, peer, witness, own } = await openPairHost(configFile);
  const seen = await witness.read();
  if (seen === null) throw new Error("the witness has no record of this pair: see create");
  const { record, revision } = seen;
  const isFromBackup = isOutdated(record, own.seen) || isOutdated(record, options.other ?? null);
  const next = isFromBackup
    ? beginAgain(name, own, record, options)
    : takenOver(name, record, options);
  if ((await witness.replace(next, revision)) === null) {
    throw new Error("another signer changed the record: see show");
  }
  print(`${name} is the active signer of epoch ${next.epoch}.`);
  if (isFromBackup ? options.isOtherLost : record.active !== name) printEmptying(peer, print);
}

function takenOver(name: string, record: PairRecord, options: Testimony): PairRecord {
  const { epoch, active, inSync } = record;
  if (active === name) assertTakesOverItself(name, inSync, options);
  else assertTakesOverOther(name, active, inSync, options);
  return { epoch: epoch + 1, active: name, inSync: [name], folderToken: null };
}

function isOutdated({ epoch }: PairRecord, seen: SeenEpoch | null): boolean {
  return seen !== null && seen.epoch > epoch;
}

function printEmptying(peer: string, print: Context["print"]): void {
  print(
    `Before ${peer} starts again, empty its folder except for keystore.json, limits.json and tls.`,
  );
}

function assertTakesOverItself(
  name: string,
  inSync: readonly string[],
  { other: otherFolder, isOtherLost, isFolderRestored }: Testimony,
): void {
  if (!isFolderRestored) {
    throw new Error(
      `${name} is the active signer already. If its folder was restored, stop payouts, put the newest copy of its journals there, and repeat with --folder-is-restored`,
    );
  }
  const other = inSync.find((each) => each !== name);
  if (other !== undefined && !isOtherLost) {
    throw new Error(
      `${other} has every signature: start it, and it takes over by itself. If ${other} and its disks are lost too, repeat with --other-is-lost as well`,
    );
  }
  // The record may be from a backup of the witness, and the other signer active since: its folder says so.
  if (!isOtherLost) assertOtherKnown(otherFolder);
}

function assertTakesOverOther(
  name: string,
  active: string,
  inSync: readonly string[],
  { isOtherLost, isFolderRestored }: Testimony,
): void {
  if (inSync.includes(name) && !isFolderRestored)
    throw new Error(
      `${name} is in sync: it takes over by itself when ${active} is silent. If its folder was restored, start ${active}; if ${active} and its disks are lost too, repeat with --folder-is-restored --other-is-lost`,
    );
  if (!isOtherLost) {
    throw new Error(
      `${active} signed while ${name} was away, and ${name} lacks these signatures. If ${active} and its disks are lost, stop payouts, restore the newest copy of its journals here if there is one, and repeat with --other-is-lost`,
    );
  }
}

/**
 * Rejects with the reason unless this host's signer is active or may take over: then the other one can be stopped. A signer without
 * a pair has no other one.
 */
export async function checkInSync({ pair }: Pick<Config["signer"], "pair">): Promise<void> {
  if (pair === undefined) return;
  const seen = await createEtcdWitness(witnessSettings(pair.witness)).read();
  if (seen === null) throw new Error("the witness has no record of this pair: see create");
  if (!seen.record.inSync.includes(pair.name))
    throw new Error(`${pair.name} is not in sync: it cannot take over`);
}

async function openPairHost(configFile: string): Promise<{
  readonly name: string;
  /** The other signer's name. */
  readonly peer: string;
  readonly witness: Witness;
  readonly own: PairFolder;
}> {
  const { signer } = await readConfig(configFile);
  const { pair } = signer;
  if (pair === undefined) throw new Error("the configuration has no table signer.pair");
  const { folder } = ownSigner(signer);
  return {
    name: pair.name,
    peer: pair.peer.name,
    witness: createEtcdWitness(witnessSettings(pair.witness)),
    own: await readPairFolder(folder),
  };
}
