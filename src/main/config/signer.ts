import { z } from "zod";
import { filePath, port } from "./config-members.ts";
import { variableOf } from "./environment.ts";
import { signerPair } from "./signer-pair.ts";

/** A path on the signer's machine, which others leave out. */
const ownPath = z.string().default("");

const members = z.strictObject({
  /** The signer's folder: keystore, journals and socket. Empty: this machine has no signer, which takes `remote`. */
  folder: ownPath,
  /** A folder on another disk for copies of the journals, as new as the last signature. */
  copy_folder: filePath.optional(),
  /** Empty as `folder`. */
  passphrase_file: ownPath,
  /** Where the signer also listens for other machines, with TLS and certificates of clients. */
  listen: z
    .strictObject({
      host: z.string().min(1).default("0.0.0.0"),
      port: port.default(7643),
      /** The three files' default: what `sluice signer certificates create` writes into the signer's folder. */
      certificate_file: filePath.optional(),
      key_file: filePath.optional(),
      authority_file: filePath.optional(),
    })
    .optional(),
  /** How workers and `check` reach a signer on another machine, instead of the socket in `folder`. */
  remote: z
    .strictObject({
      host: z.string().min(1),
      port: port.default(7643),
      certificate_file: filePath,
      key_file: filePath,
      authority_file: filePath,
      /** The other signer of a pair; it accepts the same certificate. */
      second: z.strictObject({ host: z.string().min(1), port: port.default(7643) }).optional(),
    })
    .optional(),
  /** This signer's part in a pair: one signs, the other takes over. */
  pair: signerPair.optional(),
  /**
   * Files with the Ed25519 public keys (32 bytes in base64) whose approvals the signer accepts. Without one it signs no
   * payouts.
   */
  approval_key_files: z.array(filePath).default([]),
});

/** Reported beside all other faults of the section, so it is checked whatever else is wrong. */
function missing(member: "folder" | "passphrase_file") {
  return {
    path: [member] as PropertyKey[],
    error: `this member is required without signer.remote: set it here or in ${variableOf(["signer", member])}`,
    when: ({ value }: { readonly value: unknown }) => typeof value === "object" && value !== null,
  };
}

/** `[signer]`: the signer's own settings, and how others reach it. */
export const signer = members
  .refine(({ folder, remote }) => remote !== undefined || folder !== "", missing("folder"))
  .refine(
    ({ passphrase_file, remote }) => remote !== undefined || passphrase_file !== "",
    missing("passphrase_file"),
  );
