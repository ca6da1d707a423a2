import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { canMount } from "../chaos/small-disk.ts";

const folder = await mkdtemp(join(tmpdir(), "small-disk-"));
const mounts = await canMount(folder);
await rm(folder, { recursive: true });

/** Registers tests that mount a small file system; where that is not allowed they count as skipped, under a name with the reason. */
export function describeWithSmallDisk(name: string, body: () => void): void {
  if (mounts) {
    describe(name, body);
    return;
  }
  describe.skip(`${name}: NOT RUN, no file system can be mounted here`, () => {
    test("needs a file system", () => {
      expect(mounts).toBe(true);
    });
  });
}
