/**
 * The systemd units, and those of signer and worker with each of their drop-ins: systemd itself finds no fault in them and rates each below 2 (exposure
 * from 0 to 10), and their variables and credentials make a valid configuration with the sample file. A machine without systemd's
 * tools is named on standard error.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { buildProgram } from "../../src/main/build/build-program.ts";
import { readConfigWithSettings } from "../../src/main/config/read-config.ts";

const run = promisify(execFile);
const folder = join(import.meta.dirname, "../../deploy/systemd");
const scratch = mkdtempSync(join(tmpdir(), "sluice-units-"));
afterAll(() => {
  rmSync(scratch, { recursive: true });
});

const templates = readdirSync(folder).filter((name) => name.endsWith(".service"));
const signerDropIns = ["signer-listen", "signer-pair"];
const dropIns = [...signerDropIns, "worker-remote"];
const unitOf = (dropIn: string): string =>
  signerDropIns.includes(dropIn) ? "sluice-signer.service" : "sluice-worker@.service";

/** A unit in a folder of its own, with its drop-in where systemd looks for it. Templates take a port. */
function place(name: string, dropIn: string | null) {
  const place = mkdtempSync(join(scratch, "unit-"));
  const unit = name.replace("@.", "@8090.");
  const path = join(place, unit);
  const text = readFileSync(join(folder, name), "utf8");
  // The verification wants the program to exist.
  writeFileSync(path, text.replace("/opt/sluice/bin/sluice", join(folder, "../../bin/sluice")));
  const file = { name: unit, unit, path, dropIn };
  if (dropIn === null) return { ...file, text };
  const added = readFileSync(join(folder, "drop-ins", `${dropIn}.conf`), "utf8");
  mkdirSync(`${path}.d`);
  writeFileSync(join(`${path}.d`, `${dropIn}.conf`), added);
  return { ...file, name: `${unit} with ${dropIn}.conf`, text: text + added };
}
const units = [
  ...templates.map((name) => place(name, null)),
  ...dropIns.map((dropIn) => place(unitOf(dropIn), dropIn)),
];

/** The settings of a host with the drop-in, as the guide shows them. */
function settingsWith(dropIn: string | null): string {
  const table = { "signer-pair": "[signer.pair]", "worker-remote": "[signer.remote]" }[
    dropIn ?? ""
  ];
  if (table === undefined) return "";
  const guide = readFileSync(join(folder, "../../docs/operations.md"), "utf8");
  const blocks = [...guide.matchAll(/```toml\n(.*?)```/gs)].map(([, block = ""]) => block);
  // Root's commands find the files that the drop-in hands to the unit.
  return blocks.find((block) => block.includes(table) && block.includes("/secrets/")) ?? "";
}

const version = await run("systemd-analyze", ["--version"]).then(
  ({ stdout }) => Number(/^systemd (\d+)/.exec(stdout)?.[1]),
  () => 0,
);
// Rating a file without a running systemd came with 250.
const analyzes = version >= 250;
if (!analyzes) {
  process.stderr.write(
    `\nNOT RUN: systemd's own verdict on deploy/systemd, ${version === 0 ? "systemd-analyze is missing" : `systemd ${version} is older than 250`}\n`,
  );
}

function settingsOf(text: string, name: string): readonly string[] {
  return [...text.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value = ""]) => value);
}

describe("the systemd units", () => {
  it("are four: api, worker, signer and migration", () => {
    expect(templates.sort()).toEqual([
      "sluice-api@.service",
      "sluice-migrate.service",
      "sluice-signer.service",
      "sluice-worker@.service",
    ]);
  });

  if (analyzes) {
    it.each(units)("$name has an exposure below 2", async ({ path }) => {
      const { stdout } = await run("systemd-analyze", [
        "security",
        "--offline=true",
        "--no-pager",
        path,
      ]);
      const [, exposure = "none"] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? [];
      expect(Number(exposure)).toBeLessThan(2);
    });

    it.each(units)("$name has no setting that systemd does not understand", async ({ path }) => {
      const { stderr } = await run("systemd-analyze", ["verify", "--man=no", path]);
      // Other units of this machine are none of ours.
      expect(stderr.split("\n").filter((line) => line.includes("sluice"))).toEqual([]);
    });
  }

  it.each(units)("$name runs an existing command", ({ text }) => {
    const [command = ""] = settingsOf(text, "ExecStart");
    const [program, name = "", ...options] = command.split(" ");
    expect(program).toBe("/opt/sluice/bin/sluice");
    const found = buildProgram().commands.find((candidate) => candidate.name() === name);
    const known = found?.options.map(({ long }) => long) ?? [];
    expect(options.filter((word) => word.startsWith("--") && !known.includes(word))).toEqual([]);
    expect(found?.name()).toBe(name);
  });

  it.each(units)(
    "$name sets existing members of the configuration from its credentials",
    async ({ unit, dropIn, text }) => {
      const credentials = settingsOf(text, "LoadCredential").map((line) => line.split(":"));
      const directory = mkdtempSync(join(scratch, "credentials-"));
      for (const [name = "", source = ""] of credentials) {
        expect(source).toBe(`/etc/sluice/secrets/${name}`);
        writeFileSync(join(directory, name), `${name}\n`);
      }
      const environment = Object.fromEntries(
        settingsOf(text, "Environment")
          .map((line) => line.replaceAll("%d", directory))
          .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
      ) as Record<string, string>;
      expect(environment["SLUICE_CONFIG"]).toBe("/etc/sluice/sluice.toml");
      const file = join(directory, "sluice.toml");
      const written = readFileSync(join(folder, "sluice.toml"), "utf8");
      writeFileSync(file, written + settingsWith(dropIn));
      const { config, settings } = await readConfigWithSettings(file, environment);
      expect(settings).toHaveLength(credentials.length);
      const isSigner = unit.includes("signer");
      expect(config.database.url).toBe(
        isSigner ? "postgres://sluice@db.internal/sluice" : "database-url",
      );
      expect(config.signer.pair?.name).toBe(dropIn === "signer-pair" ? "signer-a" : undefined);
      expect(config.signer.remote?.host).toBe(
        dropIn === "worker-remote" ? "signer.internal" : undefined,
      );
      const fromCredentials = JSON.stringify(config).split(`"${directory}/`).length - 1;
      expect(fromCredentials).toBe(credentials.length - (isSigner ? 0 : 1));
    },
  );

  it("give each secret only to the processes that need it", () => {
    const holders = (secret: string) => {
      const those = units
        .filter(({ text }) => text.includes(`LoadCredential=${secret}:`))
        .map(({ unit }) => unit.replace(/^sluice-|(?:@8090)?\.service$/g, ""));
      return [...new Set(those)].sort();
    };
    expect(holders("passphrase")).toEqual(["signer"]);
    expect(holders("approval.key")).toEqual(["api"]);
    expect(holders("data.key")).toEqual(["api", "worker"]);
    expect(holders("peer.key")).toEqual(["signer"]);
    expect(holders("etcd.key")).toEqual(["signer"]);
    expect(holders("etcd-password")).toEqual(["signer"]);
    expect(holders("worker.key")).toEqual(["worker"]);
    expect(holders("database-url")).toEqual(["api", "migrate", "worker"]);
  });

  it("leave the signer without a network unless a drop-in is installed", () => {
    const signer = units.find(({ name }) => name === "sluice-signer.service");
    expect(settingsOf(signer?.text ?? "", "PrivateNetwork")).toEqual(["yes"]);
    expect(settingsOf(signer?.text ?? "", "RestrictAddressFamilies")).toEqual(["AF_UNIX"]);
    // systemd reads drop-ins from folders with this ending.
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    expect(names.filter((name) => name.endsWith(".d"))).toEqual([]);
    expect(names.filter((name) => name.endsWith(".conf")).sort()).toEqual([
      ...dropIns.map((dropIn) => `drop-ins/${dropIn}.conf`),
      "sluice.sysusers.conf",
    ]);
  });

  it.each(signerDropIns)("open the network with %s for named addresses only", (dropIn) => {
    const { text = "" } = units.find((unit) => unit.dropIn === dropIn) ?? {};
    expect(settingsOf(text, "PrivateNetwork")).toEqual(["yes", "no"]);
    expect(settingsOf(text, "IPAddressDeny")).toEqual(["any"]);
    const allowed = settingsOf(text, "IPAddressAllow").join(" ").split(" ");
    expect(allowed.filter((address) => !/^10\.0\.0\.\d+$/.test(address))).toEqual([]);
    expect(allowed).toHaveLength(dropIn === "signer-pair" ? 6 : 2);
  });

  it.each(units.filter(({ unit }) => !unit.includes("migrate")))(
    "start $name again whenever it ends",
    ({ text }) => {
      expect(settingsOf(text, "Restart")).toEqual(["always"]);
      expect(settingsOf(text, "StartLimitIntervalSec")).toEqual(["0"]);
    },
  );

  it("start a worker without a signer on its machine", () => {
    const { text = "" } = units.find(({ name }) => name.startsWith("sluice-worker")) ?? {};
    const needed = ["Wants", "Requires", "BindsTo"].flatMap((name) => settingsOf(text, name));
    expect(needed).toEqual(["network-online.target"]);
    expect(settingsOf(text, "After").join(" ")).toContain("sluice-signer.service");
  });

  it("name a guide that is in the assembled program", () => {
    const assemble = readFileSync(join(folder, "../../scripts/assemble.js"), "utf8");
    const files = /^const files = (\[.*\]);$/m.exec(assemble)?.[1] ?? "[]";
    for (const { text } of units)
      for (const place of settingsOf(text, "Documentation"))
        expect(JSON.parse(files)).toContain(place.replace("file:/opt/sluice/", ""));
  });
});
