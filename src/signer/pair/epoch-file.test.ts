import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openEpochFile } from "./epoch-file.ts";

it("remembers the highest epoch over a restart, and rejects an earlier one", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sluice-epoch-"));
  const file = await openEpochFile(folder);
  await file.see(3);
  await file.see(3);
  await file.see(4);
  const again = await openEpochFile(folder);
  await expect(again.see(3)).rejects.toThrow("the witness was restored from a backup");
  await again.see(4);
  await rm(folder, { recursive: true });
});
