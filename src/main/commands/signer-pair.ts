import { createEtcdWitness } from "../../signer/pair/etcd-witness.ts";
import type { Witness } from "../../signer/pair/witness.ts";
import { witnessSettings } from "../build/signer-settings.ts";
import type { Config } from "../config/config.ts";
import { readConfig } from "../config/read-config.ts";
import type { CommandContext } from "./command-context.ts";

type Context = Pick<CommandContext, "print">;

/**
 * `sluice signer pair create`: makes this host's signer the active one of a new pair. Run it once, where the journals are: the
 * other signer copies them. Rejects if the witness has a record.
 */
export async function createPair(configFile: string, { print }: Context): Promise<void> {
  const { name, witness } = await openWitness(configFile);
  const created = await witness.replace(
    { epoch: 1, active: name, inSync: [name], folderToken: null },
    null,
  );
  if (created === null) throw new Error("the witness has a record of this pair: see show");
  print(`${name} is the active signer. Start it, then the other one.`);
}

/** `sluice signer pair show`: prints the witness's record. */
export async function showPair(configFile: string, { print }: Context): Promise<void> {
  const { witness } = await openWitness(configFile);
  const seen = await witness.read();
  if (seen === null) throw new Error("the witness has no record of this pair: see create");
  const { epoch, active, inSync } = seen.record;
  print(`active   ${active}`);
  print(`in sync  ${inSync.join(", ")}`);
  print(`epoch    ${epoch}`);
}

/**
 * `sluice signer pair take-over`: makes this host's signer the active one although it may lack entries. `isOtherLost`: those of the
 * other signer, which must never start again with its present folder. `isFolderRestored`: its own, since its folder
 * was restored from a copy.
 */
export async function takeOverPair(
  configFile: string,
  options: { readonly isOtherLost: boolean; readonly isFolderRestored: boolean },
  { print }: Context,
): Promise<void> {
  const { name, witness } = await openWitness(configFile);
  const seen = await witness.read();
  if (seen === null) throw new Error("the witness has no record of this pair: see create");
  const { epoch, active, inSync } = seen.record;
  if (active === name) assertTakesOverItself(name, inSync, options);
  else assertTakesOverOther(name, active, inSync, options);
  const next = { epoch: epoch + 1, active: name, inSync: [name], folderToken: null };
  if ((await witness.replace(next, seen.revision)) === null) {
    throw new Error("another signer changed the record: see show");
  }
  print(`${name} is the active signer of epoch ${next.epoch}.`);
  if (active !== name)
    print(
      `Before ${active} starts again, empty its folder except for keystore.json, limits.json and tls.`,
    );
}

type TakeOverOptions = Parameters<typeof takeOverPair>[1];

function assertTakesOverItself(
  name: string,
  inSync: readonly string[],
  { isOtherLost, isFolderRestored }: TakeOverOptions,
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
}

function assertTakesOverOther(
  name: string,
  active: string,
  inSync: readonly string[],
  { isOtherLost, isFolderRestored }: TakeOverOptions,
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

async function openWitness(
  configFile: string,
): Promise<{ readonly name: string; readonly witness: Witness }> {
  const { pair } = (await readConfig(configFile)).signer;
  if (pair === undefined) throw new Error("the configuration has no table signer.pair");
  return { name: pair.name, witness: createEtcdWitness(witnessSettings(pair.witness)) };
}
