import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installedPackage, serverBinaries } from "./server-binaries.ts";
import { serverUser } from "./server-user.ts";

it("PostgreSQL's programs run from the installed package for an ordinary user", async () => {
  expect(await serverBinaries(null)).toBe(installedPackage().native);
});

// Only root has folders that the server's user cannot enter, and may become another user.
describe.runIf(process.getuid?.() === 0)("serverBinaries as root", () => {
  let closed = "";
  let open = "";

  beforeAll(async () => {
    closed = await mkdtemp(join(tmpdir(), "sluice-clone-"));
    open = await mkdtemp(join(tmpdir(), "sluice-cache-"));
    await chmod(open, 0o755);
    await cp(installedPackage().native, join(closed, "native"), {
      recursive: true,
      verbatimSymlinks: true,
    });
  });
  afterAll(async () => {
    await rm(closed, { recursive: true, force: true });
    await rm(open, { recursive: true, force: true });
  });

  const shut = () => ({ name: "postgresql-test", native: join(closed, "native") });

  it("copies programs from a folder of mode 0700 once, readable and complete", async () => {
    const user = await serverUser("/nowhere");
    const place = join(open, "good");
    const copy = await serverBinaries(user, shut(), [place]);
    expect(copy).toBe(join(place, "postgresql-test"));
    const { stdout } = await promisify(execFile)(join(copy, "bin/postgres"), ["--version"], {
      ...user,
      cwd: "/",
    });
    expect(stdout).toMatch(/PostgreSQL\) \d+/);
    expect(await serverBinaries(user, shut(), [place])).toBe(copy);
    expect(await readdir(place)).toEqual(["postgresql-test"]);
  });

  it("never uses a folder that others can write to, and tries the next one", async () => {
    const user = await serverUser("/nowhere");
    const planted = join(open, "planted");
    await mkdir(planted);
    await chmod(planted, 0o777);
    await mkdir(join(planted, "postgresql-test"));
    const next = join(open, "next");
    expect(await serverBinaries(user, shut(), [planted, next])).toBe(join(next, "postgresql-test"));
    await expect(serverBinaries(user, shut(), [planted])).rejects.toThrow(/only root may write/);
  });
});
