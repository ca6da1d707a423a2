import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeAtomically } from "../../platform/processes/write-atomically.ts";
import { JournalDamaged } from "../journal/sealed-lines.ts";

/** The highest epoch that a signer saw, and the signer that is active in it; null if the folder does not say which. */
export type SeenEpoch = { readonly epoch: number; readonly active: string | null };

/** Remembers the highest epoch that this signer saw, so that a witness restored from a backup is noticed. */
export type EpochFile = {
  /**
   * Rejects with `JournalDamaged` for an epoch before the highest one seen, and for another active signer in that one. Resolves once the
   * epoch is on the disk.
   */
  readonly see: (record: { readonly epoch: number; readonly active: string }) => Promise<void>;
};

/** Opens the files `pair.epoch` and `pair.active` in the signer's folder; they are created with the first epoch. */
export async function openEpochFile(folder: string): Promise<EpochFile> {
  let seen = (await readSeenEpoch(folder)) ?? { epoch: 0, active: null };
  return {
    see: async ({ epoch, active }) => {
      if (epoch < seen.epoch) {
        throw new JournalDamaged(
          `the witness says epoch ${epoch}, but this signer saw ${seen.epoch}: the witness was restored from a backup (docs/operations.md, "The witness was restored")`,
        );
      }
      if (epoch === seen.epoch && seen.active !== null) {
        if (active === seen.active) return;
        // An epoch has one active signer, so one of the two records was lost. What this folder knows stays, for `beginAgain`.
        throw new JournalDamaged(
          `the witness says that ${active} is active in epoch ${epoch}, but this signer saw ${seen.active} there: the witness was restored from a backup (docs/operations.md, "The witness was restored")`,
        );
      }
      await writeAtomically(join(folder, activeName), `${formatSeenEpoch({ epoch, active })}\n`);
      await writeAtomically(join(folder, epochName), `${epoch}\n`);
      seen = { epoch, active };
    },
  };
}

const epochName = "pair.epoch";
const activeName = "pair.active";

/** Null before the first epoch. Rejects with `JournalDamaged` if a file is something else. */
export async function readSeenEpoch(folder: string): Promise<SeenEpoch | null> {
  const [epochPath, activePath] = [join(folder, epochName), join(folder, activeName)];
  const epoch = existsSync(epochPath) ? Number(await readFile(epochPath, "utf8")) : 0;
  if (!Number.isSafeInteger(epoch)) throw new JournalDamaged(`${epochPath} is not an epoch`);
  // A version that writes no such file may have been active since.
  const text = existsSync(activePath) ? (await readFile(activePath, "utf8")).trimEnd() : null;
  const written = text === null ? null : parseSeenEpoch(text);
  if (text !== null && written === null) throw new JournalDamaged(`${activePath} is not an epoch`);
  if (written !== null && written.epoch >= epoch) return written;
  return epoch === 0 ? null : { epoch, active: null };
}

/** What `sluice signer pair show` prints and `create --other-folder` takes: `57:signer-a`. */
export function formatSeenEpoch(seen: SeenEpoch | null): string {
  return seen === null ? "none" : `${seen.epoch}:${seen.active ?? "?"}`;
}

/** The inverse, for one that is not null; null for anything else. */
export function parseSeenEpoch(text: string): SeenEpoch | null {
  const [, digits, active] = /^([1-9]\d{0,15}):([\w.-]{1,64}|\?)$/.exec(text) ?? [];
  if (digits === undefined || active === undefined) return null;
  const epoch = Number(digits);
  return Number.isSafeInteger(epoch) ? { epoch, active: active === "?" ? null : active } : null;
}
