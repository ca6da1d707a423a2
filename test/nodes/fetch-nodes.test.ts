/** Tests scripts/fetch-nodes.sh without a download; every run that needs the nodes tests the download itself. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const script = join(import.meta.dirname, "../../scripts/fetch-nodes.sh");
const tools = ["bash", "cat", "awk", "id", "mktemp", "mkdir", "rm", "dirname", "readlink"];
/** Debian's package installs litecoind here, where it is found first. */
const installedLitecoind = "/usr/lib/litecoin/litecoind";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-fetch-"));
  await mkdir(join(folder, "bin"));
  for (const tool of tools) {
    const at = ["/usr/bin", "/bin"].map((bin) => join(bin, tool)).find(existsSync);
    await symlink(at!, join(folder, "bin", tool));
  }
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function program(path: string): Promise<string> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, "#!/bin/sh\n");
  await chmod(file, 0o755);
  return file;
}

/** PATH contains only the tools and the test's own programs, so no apt. */
function fetchNodes(
  ...programs: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: join(folder, "bin"), HOME: folder };
  return new Promise((resolve) => {
    execFile(
      "bash",
      programs.length === 0 ? [script] : [script, "", ...programs],
      { env },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
  });
}

describe("fetch-nodes.sh", () => {
  it("uses daemons on PATH and writes nothing", async () => {
    const bitcoind = await program("bin/bitcoind");
    const onPath = await program("bin/litecoind");
    const litecoind = existsSync(installedLitecoind) ? installedLitecoind : onPath;
    expect(await fetchNodes()).toEqual({
      code: 0,
      stdout: `bitcoind ${bitcoind}\nlitecoind ${litecoind}\n`,
      stderr: "",
    });
    expect(existsSync(join(folder, ".cache"))).toBe(false);
  });

  it("does not fetch the nodes again", async () => {
    const bitcoind = await program(".cache/sluice/nodes/bitcoind/bitcoind");
    const fetched = await program(".cache/sluice/nodes/litecoind/litecoind");
    const litecoind = existsSync(installedLitecoind) ? installedLitecoind : fetched;
    expect(await fetchNodes()).toEqual({
      code: 0,
      stdout: `bitcoind ${bitcoind}\nlitecoind ${litecoind}\n`,
      stderr: "",
    });
  });

  it("finds the named programs only", async () => {
    const monerod = await program("bin/monerod");
    const wallet = await program(".cache/sluice/nodes/monero-wallet-rpc/monero-wallet-rpc");
    expect(await fetchNodes("monerod", "monero-wallet-rpc")).toEqual({
      code: 0,
      stdout: `monerod ${monerod}\nmonero-wallet-rpc ${wallet}\n`,
      stderr: "",
    });
  });

  it("fails without apt, and reports which programs are missing and what to do", async () => {
    await program("bin/litecoind");
    const { code, stderr } = await fetchNodes();
    expect(code).toBe(2);
    expect(stderr).toMatch(/no apt-get here, so bitcoind cannot be fetched\..*on PATH/);
    expect(existsSync(join(folder, ".cache"))).toBe(false);
  });
});
