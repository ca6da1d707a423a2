import { z } from "zod";
import { filePath, port } from "./config-members.ts";

/** `[signer.pair]`: two signers with one keystore, of which the witness lets one sign. */
export const signerPair = z.strictObject({
  /** This signer's name. */
  name: z.string().regex(/^[\w.-]{1,64}$/),
  /** How long the standby hears nothing of the active signer before it takes over. */
  takeover_seconds: z.int().min(2).max(300).default(5),
  /** The other signer, and this one's certificate with the right `replicate` there. */
  peer: z.strictObject({
    name: z.string().regex(/^[\w.-]{1,64}$/),
    host: z.string().min(1),
    port: port.default(7643),
    certificate_file: filePath,
    key_file: filePath,
    authority_file: filePath,
  }),
  /** etcd, which says which of the two is active. */
  witness: z
    .strictObject({
      endpoints: z.array(z.url()).min(1),
      record_key: z.string().min(1).default("sluice/signer"),
      certificate_file: filePath.optional(),
      key_file: filePath.optional(),
      authority_file: filePath.optional(),
      user: z.string().min(1).optional(),
      password_file: filePath.optional(),
    })
    .refine(({ user, password_file }) => (user === undefined) === (password_file === undefined), {
      error: "user and password_file belong together: set both or none",
    })
    .refine(
      ({ certificate_file, key_file, authority_file }) =>
        new Set([certificate_file, key_file, authority_file].map((file) => file === undefined))
          .size === 1,
      { error: "certificate_file, key_file and authority_file belong together: set all or none" },
    ),
});
