import { access, constants, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../platform/kernel/clock.ts";
import { parseApprovalPublicKey, readApprovalKey } from "../../signer/keys/approval-key.ts";
import { readLimits } from "../../signer/limits-file.ts";
import { readApprovalKeyFiles } from "../build/approval-keys.ts";
import { findOwnSigner } from "../build/own-signer.ts";
import { signerSettings } from "../build/signer-settings.ts";
import type { Config } from "../config/config.ts";
import { examine, type Finding, type Found } from "./finding.ts";
import { permissionNotes } from "./permission-notes.ts";

/** Checks what only a deployment with payouts has: the approval key, the signer's limits, and the folder for copies. */
export function checkPaying(config: Config, clock: Clock): readonly Promise<Finding>[] {
  const { payouts, signer } = config;
  const { copy_folder: copyFolder } = signer;
  return [
    ...(payouts === undefined
      ? []
      : [
          examine(`approval key ${payouts.approval_key_file}`, clock, () =>
            checkApprovalKey(config, payouts.approval_key_file),
          ),
          // With `remote`, the folder, its limits and perhaps the list of approval keys are on the signer's machine.
          ...(signer.remote === undefined
            ? [
                examine(`signer limits ${join(signer.folder, "limits.json")}`, clock, () =>
                  checkLimits(config),
                ),
              ]
            : []),
        ]),
    ...(copyFolder === undefined
      ? []
      : [examine(`copy folder ${copyFolder}`, clock, () => checkCopyFolder(config, copyFolder))]),
  ];
}

async function checkApprovalKey(config: Config, file: string): Promise<Found> {
  const { publicKey } = await readApprovalKey(file);
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
