import type { Config } from "../config/config.ts";

/** What the signer on this machine works with. */
export type OwnSigner = { readonly folder: string; readonly passphraseFile: string };

/** The signer of this machine; null where `signer.remote` leads to another one and the configuration names no folder or passphrase. */
export function findOwnSigner({ folder, passphrase_file }: Config["signer"]): OwnSigner | null {
  return folder === "" || passphrase_file === ""
    ? null
    : { folder, passphraseFile: passphrase_file };
}

/** Like `findOwnSigner`, for what works on the signer's folder. Throws where there is none. */
export function ownSigner(signer: Config["signer"]): OwnSigner {
  const own = findOwnSigner(signer);
  if (own !== null) return own;
  const members = ["folder", "passphrase_file"] as const;
  const missing = members.filter((member) => signer[member] === "");
  const names = missing.map((member) => `signer.${member}`).join(" and ");
  const verb = missing.length === 1 ? "is" : "are";
  throw new Error(
    `${names} ${verb} not set, and signer.remote leads to another machine: run this on the signer's machine`,
  );
}
