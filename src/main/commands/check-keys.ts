import { X509Certificate } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Clock,
  type Instant,
  instantFromSeconds,
  secondsBetween,
} from "../../platform/kernel/clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { verifyAuditLog } from "../../signer/journal/audit-log.ts";
import { accountPaths } from "../../signer/keys/account-paths.ts";
import { openKeystore } from "../../signer/keys/keystore.ts";
import { readPassphrase } from "../../signer/keys/read-passphrase.ts";
import { createEtcdWitness } from "../../signer/pair/etcd-witness.ts";
import type { AccountKey } from "../../signer/protocol.ts";
import type { SignerAddress } from "../../signer/signer-address.ts";
import { createSignerClient } from "../../signer/signer-client.ts";
import { readDataKey } from "../build/foundation.ts";
import { findOwnSigner, ownSigner } from "../build/own-signer.ts";
import { localSigner, signerAddresses } from "../build/signer-address.ts";
import { signerKeys, witnessSettings } from "../build/signer-settings.ts";
import type { Config } from "../config/config.ts";
import { type CheckedRoles, runsHere } from "./check-role.ts";
import { examine, type Finding, type Found } from "./finding.ts";
import { permissionNotes } from "./permission-notes.ts";

const secondsPerDay = 86_400;
const remedyForMissing =
  "run `sluice init` for a new deployment, or restore the file of an existing one";

/** Checks each data key file. */
export function checkDataKeys(config: Config, clock: Clock): readonly Promise<Finding>[] {
  return config.keys.data_key_files.map((file) =>
    examine(`data key ${file}`, clock, async () => {
      if (!existsSync(file)) throw new Error(`it does not exist: ${remedyForMissing}`);
      await readDataKey(file);
      return { detail: "32 bytes", notes: await permissionNotes(file) };
    }),
  );
}

/** Checks the signer's audit log; a missing one is fine, since the signer creates it with its first request. */
export function checkAuditLog({ signer }: Config, clock: Clock): readonly Promise<Finding>[] {
  const own = findOwnSigner(signer);
  const path = own === null ? null : join(own.folder, "audit.log");
  if (path === null || !existsSync(path)) return [];
  return [
    examine(`audit log ${path}`, clock, async () => {
      const { entries, hash } = await verifyAuditLog(path);
      return { detail: `${entries} entries, none altered; ends with ${hash}` };
    }),
  ];
}

/**
 * Checks that the signer is running, or, if it belongs on this machine, able to start; and the other signer of a pair. A worker's host
 * needs those that it reaches, a signer's host its own one and the witness's record of the pair.
 */
export function checkSigners(
  config: Config,
  clock: Clock,
  roles: CheckedRoles,
): readonly Promise<Finding>[] {
  const { signer } = config;
  const { address, second } = signerAddresses(signer);
  const isOwnReached = runsHere(roles, "worker") && address.kind === "socket";
  return [
    ...(runsHere(roles, "worker") ? [address, second] : [])
      .filter((each) => each !== undefined)
      .map((each) => {
        const place = each.kind === "socket" ? signer.folder : `${each.host}:${each.port}`;
        return examine(`signer ${place}`, clock, () => probeSigner(config, each, clock, roles));
      }),
    ...(roles?.has("signer") === true
      ? [
          ...(isOwnReached ? [] : [checkOwnSigner(config, clock, roles)]),
          ...checkPair(config, clock),
        ]
      : []),
  ];
}

/** The signer of this machine, wherever its workers reach theirs. */
function checkOwnSigner(config: Config, clock: Clock, roles: CheckedRoles): Promise<Finding> {
  const { signer } = config;
  return examine(`signer ${findOwnSigner(signer)?.folder ?? "of this machine"}`, clock, async () =>
    probeSigner(config, localSigner(ownSigner(signer).folder), clock, roles),
  );
}

/** Checks the record that lets this host's signer sign or take over. */
function checkPair({ signer: { pair } }: Config, clock: Clock): readonly Promise<Finding>[] {
  if (pair === undefined) return [];
  const { name, witness } = pair;
  return [
    examine(`pair of ${name} and ${pair.peer.name}`, clock, async () => {
      const seen = await createEtcdWitness(witnessSettings(witness)).read();
      if (seen === null)
        throw new Error(
          "the witness has no record of it: run `sluice signer pair create` where the journals are",
        );
      const { active, inSync } = seen.record;
      return {
        detail: `${active} is active; in sync: ${inSync.join(", ")}`,
        notes: inSync.includes(name) ? [] : [`${name} is not in sync: it cannot take over`],
      };
    }),
  ];
}

async function probeSigner(
  config: Config,
  address: SignerAddress,
  clock: Clock,
  roles: CheckedRoles,
): Promise<Found> {
  const client = createSignerClient({ address, clock, timeoutMs: 5_000 });
  try {
    assertNetwork(config, await client.accountKeys());
    const detail = "running, its keys are those of the configured networks";
    if (address.kind === "socket") return { detail };
    const held = await client.rights();
    return {
      detail: `${detail}; rights of this client: ${held.length === 0 ? "none" : held.join(", ")}`,
      notes: await certificateNotes(address, clock.now()),
    };
  } catch (error) {
    if (address.kind === "remote" || !(error instanceof Unavailable)) throw error;
    return runsHere(roles, "signer")
      ? await checkKeystore(config)
      : { detail: "not running; `sluice check --role signer` checks its keystore" };
  } finally {
    client.close();
  }
}

async function certificateNotes(
  { certificateFile, keyFile }: Extract<SignerAddress, { kind: "remote" }>,
  now: Instant,
): Promise<readonly string[]> {
  const { validTo } = new X509Certificate(await readFile(certificateFile));
  const expiry = instantFromSeconds(Date.parse(validTo) / 1000);
  const days = Math.floor(secondsBetween(now, expiry) / secondsPerDay);
  const soon = days < 30 ? [`${certificateFile} expires in ${days} days`] : [];
  return [...soon, ...(await permissionNotes(keyFile))];
}

/** Main and test networks have different keys: a signer set up for the other network would issue foreign addresses. */
function assertNetwork(config: Config, keys: readonly AccountKey[]): void {
  const { network, keyTrees } = signerKeys(config);
  const held = new Set(keys.map(({ path }) => path));
  const missing = accountPaths(network, keyTrees).filter(({ path }) => !held.has(path));
  if (missing.length > 0) throw new Error(`it runs with keys of other networks than ${network}`);
}

async function checkKeystore({ signer }: Config): Promise<Found> {
  const { folder, passphraseFile } = ownSigner(signer);
  if (!existsSync(passphraseFile))
    throw new Error(`${passphraseFile} does not exist: write the keystore's passphrase into it`);
  const keystore = join(folder, "keystore.json");
  if (!existsSync(keystore)) throw new Error(`${keystore} does not exist: ${remedyForMissing}`);
  const passphrase = readPassphrase({ kind: "file", path: passphraseFile });
  try {
    const entropy = await openKeystore(keystore, passphrase);
    entropy.fill(0);
  } finally {
    passphrase.fill(0);
  }
  return {
    detail: "not running; its keystore opens with the passphrase",
    notes: await permissionNotes(passphraseFile),
  };
}
