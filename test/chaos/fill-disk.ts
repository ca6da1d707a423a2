import { stat } from "node:fs/promises";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { limitFiles } from "./limit-files.ts";
import type { Choices } from "./seeded-choices.ts";
import { pageBytes, type SmallDisk } from "./small-disk.ts";

/** Leaves a process that writes no space for a while; `pid` is the present one, null while none runs. */
export type FillDisk = (ms: number, choices: Choices, pid: () => number | null) => Promise<void>;

/** At most so much is left: less than a line of a journal needs, or enough for one or two. */
const pagesLeftMax = 2;

/** Fills its disk, on which a line may still fit or not (ENOSPC). */
export function fillSmallDisk(disk: SmallDisk): FillDisk {
  return async (ms, choices) => {
    const free = await disk.fill(choices.integer(0, pagesLeftMax) * pageBytes);
    await systemClock.sleep(ms);
    await free();
  };
}

/** Where no small disk can be made: `journal`, which grows by lines, ends in its next line (EFBIG). */
export function fillByLimit(journal: string): FillDisk {
  return async (ms, choices, pid) => {
    const bytes = (await stat(journal)).size + choices.integer(0, 400);
    const overAt = systemClock.now() + ms * 1_000;
    const limited = new Set<number>();
    // Also one that was started later.
    while (systemClock.now() < overAt) {
      const found = pid();
      if (found !== null && !limited.has(found)) {
        limited.add(found);
        await limitFiles([found], bytes);
      }
      await systemClock.sleep(20);
    }
    await limitFiles([...limited], null);
  };
}
