import { existsSync } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../platform/kernel/clock.ts";
import { parseApprovalPublicKey, readApprovalKey } from "../../signer/keys/approval-key.ts";
import { readLimits } from "../../signer/limits-file.ts";
import { readApprovalKeyFiles } from "../build/approval-keys.ts";
import { findOwnSigner } from "../build/own-signer.ts";
import { signerSettings } from "../build/signer-settings.ts";
import type { Config } from "../config/config.ts";
import { type CheckedRoles, runsHere } from "./check-role.ts";
import { examine, type Finding, type Found } from "./finding.ts";
import { permissionNotes } from "./permission-notes.ts";

export const noCopyNote =
  "signer.copy_folder is not set: a lost disk takes the newest signatures with it, and a restore has to ask the chains";

/**
 * Checks what only a deployment with payouts has: the approval key, which API processes read, and on the signer's machine its limits,
 * the keys it accepts, and the folder for copies.
 */
export function checkPaying(
  config: Config,
  clock: Clock,
  roles: CheckedRoles = null,
): readonly Promise<Finding>[] {
  const { payouts } = config;
  const approval =
    payouts === undefined || !runsHere(roles, "api")
      ? []
      : [
          examine(`approval key ${payouts.approval_key_file}`, clock, () =>
            checkApprovalKey(config, payouts.approval_key_file, roles),
          ),
        ];
  return runsHere(roles, "signer")
    ? [...approval, ...checkSigning(config, clock, roles)]
    : approval;
}

function checkSigning(
  config: Config,
  clock: Clock,
  roles: CheckedRoles,
): readonly Promise<Finding>[] {
  const { payouts, signer } = config;
  const { copy_folder: copyFolder, approval_key_files: files } = signer;
  // The file of a signer's host may leave `payouts` to the others.
  const isPaying = payouts !== undefined || (roles !== null && files.length > 0);
  // With `remote`, the folder, its limits and perhaps the list of approval keys are on the signer's machine.
  const isOwn = roles === null ? signer.remote === undefined : findOwnSigner(signer) !== null;
  const checkCopy = (): readonly Promise<Finding>[] => {
    if (copyFolder !== undefined)
      return [
        examine(`copy folder ${copyFolder}`, clock, () => checkCopyFolder(config, copyFolder)),
      ];
    // Where a worker runs too, the marks of database and signer show the note.
    return isPaying && !runsHere(roles, "worker")
      ? [
          examine("copy folder", clock, () =>
            Promise.resolve({ detail: "none", notes: [noCopyNote] }),
          ),
        ]
      : [];
  };
  return [
    ...(isPaying && !runsHere(roles, "api")
      ? [examine("approval keys", clock, () => checkAcceptedKeys(config))]
      : []),
    ...(isPaying && isOwn
      ? [
          examine(`signer limits ${join(signer.folder, "limits.json")}`, clock, () =>
            checkLimits(config),
          ),
        ]
      : []),
    ...checkCopy(),
  ];
}

/** Names the keys, so that they can be compared with those of the API processes' hosts. */
async function checkAcceptedKeys(config: Config): Promise<Found> {
  const accepted = await readApprovalKeyFiles(config);
  for (const key of accepted) parseApprovalPublicKey(key);
  if (accepted.length === 0)
    throw new Error(
      "the signer accepts none and signs no payouts: name a file with a public key in signer.approval_key_files",
    );
  return { detail: `the signer accepts ${accepted.join(", ")}` };
}

async function checkApprovalKey(config: Config, file: string, roles: CheckedRoles): Promise<Found> {
  const { publicKey } = await readApprovalKey(file);
  const { approval_key_files: files } = config.signer;
  if (!runsHere(roles, "signer") && (files.length === 0 || !files.every(existsSync)))
    return {
      detail: `it can be read, its public key is ${publicKey}; \`sluice check --role signer\` on the signer's machine shows whether that is accepted`,
      notes: await permissionNotes(file),
    };
  const accepted = await readApprovalKeyFiles(config);
  for (const key of accepted) parseApprovalPublicKey(key);
  if (config.signer.remote !== undefined && accepted.length === 0)
    return {
      detail: "it can be read; `sluice check` on the signer's machine tells whether it is accepted",
      notes: await permissionNotes(file),
    };
  if (!accepted.includes(publicKey))
    throw new Error(
      "the signer does not accept it: name a file with its public key in signer.approval_key_files",
    );
  return { detail: "the signer accepts it", notes: await permissionNotes(file) };
}

async function checkLimits(config: Config): Promise<Found> {
  const { folder, paying } = signerSettings(config, null);
  const path = join(folder, "limits.json");
  const limits = await readLimits(path, paying?.limitsWhenAbsent ?? null);
  if (limits === null) throw new Error("the file is missing: on main networks nothing is signed");
  if (limits === "none") return { detail: "none, on all chains" };
  const unlisted = Object.keys(config.chains).filter((chain) => !limits.has(chain));
  const notes = unlisted.map((chain) => `${chain} is not listed: the signer signs nothing there`);
  return { detail: `for ${[...limits.keys()].join(", ")}`, notes };
}

async function checkCopyFolder({ signer }: Config, copyFolder: string): Promise<Found> {
  const copy = await stat(copyFolder);
  if (!copy.isDirectory()) throw new Error("it is not a folder");
  await access(copyFolder, constants.W_OK);
  const isOpen = (copy.mode & 0o077) !== 0;
  const own = findOwnSigner(signer);
  const isSameDisk = own !== null && (await stat(own.folder)).dev === copy.dev;
  return {
    detail: "it can be written to",
    notes: [
      ...(isOpen ? [`${copyFolder} can be entered by other users: chmod 700 it`] : []),
      ...(isSameDisk ? ["it is on the same disk as the signer's folder"] : []),
    ],
  };
}
