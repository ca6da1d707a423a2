import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeDeployment } from "../../test/support/command-line.ts";
import { eventually } from "../../test/support/eventually.ts";

/* Runs `bin/sluice` as a person or a supervisor does. */

const root = join(import.meta.dirname, "../..");
const sluice = join(root, "bin/sluice");
const run = promisify(execFile);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-cli-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const environment = (more: Record<string, string> = {}) => ({
  PATH: process.env["PATH"] ?? "",
  HOME: process.env["HOME"] ?? "",
  SLUICE_HOME: folder,
  ...more,
});

/** Exit code and standard error of a command. */
async function failure(args: readonly string[], more: Record<string, string> = {}) {
  const { code, stderr } = await run(sluice, args, { env: environment(more) }).then(
    () => ({ code: 0, stderr: "" }),
    (error: unknown) => error as { code: number; stderr: string },
  );
  return { code, stderr };
}

describe("sluice", () => {
  it("prints its version, also through a symbolic link", async () => {
    const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
      version: string;
    };
    const link = join(folder, "linked");
    await symlink(sluice, link);
    for (const program of [sluice, link]) {
      const { stdout } = await run(program, ["--version"], { env: environment() });
      expect(stdout).toBe(`${version}\n`);
    }
  });

  it("groups its commands in the help", async () => {
    const { stdout } = await run(sluice, ["--help"], { env: environment() });
    const groups = ["Sandbox", "Deployment", "Currencies and books", "Payouts", "Accounts"];
    for (const group of groups) expect(stdout).toContain(`\n${group}:\n`);
  });

  it("refuses an unknown role of check, and checks what the known ones need", async () => {
    const files = await writeDeployment("postgres://127.0.0.1:1/none");
    const { code, stderr } = await failure(["check", "--role", "judge"]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('no role "judge": use api, worker'),
    ]);
    const args = ["check", "--role", "api", "--role", "signer", "--config", files.configFile];
    const { stdout } = (await run(sluice, args, { env: environment() }).catch(
      (error: unknown) => error,
    )) as { readonly stdout: string };
    expect(stdout).toMatch(/^WRONG {2}database 127\.0\.0\.1:1\/none: /m);
    expect(stdout).toMatch(/^WRONG {2}signer .*keystore\.json does not exist/m);
    expect(stdout).toContain("Some checks of api, signer failed");
    await files.remove();
  });

  it("exits quietly when its reader closes the pipe", async () => {
    const command = `"${sluice}" --help | head -n 1; exit "$PIPESTATUS"`;
    const { stdout, stderr } = await run("bash", ["-c", command], { env: environment() });
    expect([stdout, stderr]).toEqual(["Usage: sluice [options] [command]\n", ""]);
  });

  it.each([["member", "list", "1"], ["check"], ["pause"], ["pay", "1", "0.5"], ["mine", "ETH"]])(
    "lists where it looked when no sandbox runs: %s",
    async (...args) => {
      const { code, stderr } = await failure(args);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^sluice: No .*sandbox.* in /)]);
    },
  );

  it.each([["check"], ["start"], ["api"]])(
    "refuses variables of the configuration without one: %s",
    async (...args) => {
      const { code, stderr } = await failure(args, { SLUICE__LOG__LEVEL: "debug" });
      expect([code, stderr]).toEqual([
        1,
        "sluice: SLUICE__LOG__LEVEL is set, but no configuration file is named. Set SLUICE_CONFIG, to /dev/null if there is no file.\n",
      ]);
    },
  );

  it.each([
    [{ SLUICE_CONFIG: "/nowhere/sluice.json" }, []],
    [{}, ["--config", "/nowhere/sluice.json"]],
  ] as const)("acts as the payer in a sandbox only: %j %j", async (more, args) => {
    const { code, stderr } = await failure(["pay", "1", "0.5", ...args], more);
    expect([code, stderr]).toEqual([
      1,
      "sluice: /nowhere/sluice.json is not the configuration of a running sandbox, and this command works on a sandbox only\n",
    ]);
  });

  it("uses the configuration of the running sandbox when none is named", async () => {
    const home = await mkdtemp(join(folder, "home-"));
    await writeFile(join(home, "sandbox.json"), "{}");
    await writeFile(join(home, "config.json"), "{");
    const { stderr } = await failure(["member", "list", "1"], { SLUICE_HOME: home });
    expect(stderr).toContain(`${join(home, "config.json")}:1:`);
  });

  it("reports a configuration file that other users can read", async () => {
    const files = await writeDeployment("postgres://127.0.0.1:9/nothing");
    try {
      await chmod(files.configFile, 0o644);
      const { stdout } = await run(sluice, ["check", "--config", files.configFile], {
        env: environment(),
      }).catch((error: unknown) => error as { stdout: string });
      expect(stdout).toContain(`${files.configFile} can be read by other users: chmod 600 it`);
    } finally {
      await files.remove();
    }
  });
});

describe("a supervised sluice", () => {
  /** `sluice signer` needs no database, so it starts at once. */
  async function startSigner(start: (args: readonly string[]) => ReturnType<typeof spawn>) {
    const files = await writeDeployment("postgres://127.0.0.1:9/nothing");
    await run(sluice, ["init", "--config", files.configFile], { env: environment() });
    const child = start(["signer", "--config", files.configFile]);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    await eventually(
      () => output,
      (text) => text.includes("signer is listening"),
    );
    return { child, files };
  }
  const isRunning = async (configFile: string): Promise<boolean> => {
    const { stdout } = await run("ps", ["-eo", "args"]);
    return stdout.split("\n").some((line) => line.includes(configFile) && !line.startsWith("ps "));
  };

  it("is the process that its supervisor started, and exits on SIGTERM", async () => {
    const { child, files } = await startSigner((args) =>
      spawn(sluice, args, { env: environment() }),
    );
    try {
      const { stdout } = await run("ps", ["-o", "args=", "-p", String(child.pid)]);
      expect(stdout).toContain("src/main/cli.ts signer");
      child.kill("SIGTERM");
      await once(child, "exit");
      expect(await isRunning(files.configFile)).toBe(false);
    } finally {
      child.kill("SIGKILL");
      await files.remove();
    }
  });

  it("leaves no orphan when npx gets SIGTERM", async () => {
    const { child, files } = await startSigner((args) =>
      spawn("npx", ["sluice", ...args], { env: environment(), cwd: root }),
    );
    try {
      child.kill("SIGTERM");
      await eventually(
        () => isRunning(files.configFile),
        (running) => !running,
      );
    } finally {
      child.kill("SIGKILL");
      await files.remove();
    }
  });
});
