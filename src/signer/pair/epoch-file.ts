import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeAtomically } from "../../platform/processes/write-atomically.ts";
import { JournalDamaged } from "../journal/sealed-lines.ts";

/** Remembers the highest epoch that this signer saw, so that a witness restored from a backup is noticed. */
export type EpochFile = {
  /** Rejects with `JournalDamaged` for an epoch before the highest one seen. Resolves once the epoch is on the disk. */
  readonly see: (epoch: number) => Promise<void>;
};

/** Opens the file `pair.epoch` in the signer's folder; it is created with the first epoch. */
export async function openEpochFile(folder: string): Promise<EpochFile> {
  const path = join(folder, "pair.epoch");
  let highest = existsSync(path) ? Number(await readFile(path, "utf8")) : 0;
  if (!Number.isSafeInteger(highest)) throw new JournalDamaged(`${path} is not an epoch`);
  return {
    see: async (epoch) => {
      if (epoch === highest) return;
      if (epoch < highest) {
        throw new JournalDamaged(
          `the witness says epoch ${epoch}, but this signer saw ${highest}: the witness was restored from a backup`,
        );
      }
      await writeAtomically(path, `${epoch}\n`);
      highest = epoch;
    },
  };
}
