import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { describeWithSmallDisk } from "../support/describe-with-small-disk.ts";
import { mountSmallDisk, pageBytes } from "./small-disk.ts";

/* A disk of the crash tests is full as a real one is, and its files stay when it is removed. */

const run = promisify(execFile);
const mebibyte = 1024 * 1024;

async function writeTo(path: string, bytes: number): Promise<unknown> {
  return writeFile(path, Buffer.alloc(bytes, 1)).then(
    () => null,
    (error: unknown) => (error as NodeJS.ErrnoException).code,
  );
}

describeWithSmallDisk("a small disk", () => {
  it("has no space while it is full, and space afterwards, and leaves its files", async () => {
    const folder = await mkdtemp(join(tmpdir(), "chaos-disk-"));
    const path = join(folder, "place");
    const disk = present(await mountSmallDisk(path, { bytes: mebibyte, mode: "700" }), "a disk");
    expect(await writeTo(join(path, "journal"), 100)).toBeNull();
    const free = await disk.fill(pageBytes);
    // The page of the journal, and the one that is left.
    expect(await writeTo(join(path, "another"), pageBytes)).toBeNull();
    expect(await writeTo(join(path, "third"), 1)).toBe("ENOSPC");
    await free();
    expect(await writeTo(join(path, "third"), mebibyte / 2)).toBeNull();
    await disk.close();
    expect(await readFile(join(path, "journal"))).toEqual(Buffer.alloc(100, 1));
    expect(existsSync(join(path, "filler"))).toBe(false);
    expect((await run("cat", ["/proc/mounts"])).stdout).not.toContain(folder);
    await rm(folder, { recursive: true });
  });
});
