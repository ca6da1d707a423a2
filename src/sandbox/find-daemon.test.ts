import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findDaemon } from "./find-daemon.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-find-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function program(path: string, mode = 0o755): Promise<string> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, "#!/bin/sh\n");
  await chmod(file, mode);
  return file;
}

describe("findDaemon", () => {
  it("prefers PATH to fetched programs, and skips files that are not executable", async () => {
    const fetched = await program("a/.cache/sluice/nodes/bitcoind/bitcoind");
    const home = join(folder, "a");
    const environment = { path: `${folder}/a/none::${folder}/a/bin`, home, cacheHome: "" };
    expect(findDaemon("bitcoind", environment)).toEqual({ kind: "found", path: fetched });
    await program("a/none/bitcoind", 0o644);
    await mkdir(join(folder, "a/bin/bitcoind"), { recursive: true });
    expect(findDaemon("bitcoind", environment)).toEqual({ kind: "found", path: fetched });
    await rm(join(folder, "a/bin/bitcoind"), { recursive: true });
    const onPath = await program("a/bin/bitcoind");
    expect(findDaemon("bitcoind", environment)).toEqual({ kind: "found", path: onPath });
  });

  it("searches XDG_CACHE_HOME if it is set", async () => {
    const fetched = await program("cache/sluice/nodes/bitcoind/bitcoind");
    const cacheHome = join(folder, "cache");
    expect(findDaemon("bitcoind", { path: "", home: "/nowhere", cacheHome })).toEqual({
      kind: "found",
      path: fetched,
    });
  });

  it("explains how to install a missing daemon", () => {
    const found = findDaemon("bitcoind", { path: "", home: "/nowhere", cacheHome: "" });
    expect(found).toMatchObject({
      kind: "missing",
      reason: expect.stringMatching(/scripts\/fetch-nodes\.sh \(.*PATH/) as string,
    });
    expect(findDaemon("monerod", { path: "", home: "/nowhere", cacheHome: "" })).toMatchObject({
      kind: "missing",
      reason: expect.stringContaining(
        'scripts/fetch-nodes.sh "" monerod monero-wallet-rpc (',
      ) as string,
    });
  });
});
