/**
 * The compose files, read as Docker reads them: the variables and secrets of each role make a valid configuration, and each
 * container is confined and has the secrets of its role only. No container is started: see image.test.ts for the image's steps.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { buildProgram } from "../../src/main/build/build-program.ts";
import { readConfig } from "../../src/main/config/read-config.ts";
import { readDockerfile } from "./read-dockerfile.ts";

type Service = {
  readonly image: string;
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly configs?: readonly { readonly source: string; readonly target: string }[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly ports?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly network_mode?: string;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
};

type ComposeFile = {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets?: Readonly<Record<string, { readonly file?: string }>>;
  readonly configs?: Readonly<Record<string, { readonly file?: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};

const folder = join(import.meta.dirname, "../../deploy");
const scratch = mkdtempSync(join(tmpdir(), "sluice-compose-"));
afterAll(() => {
  rmSync(scratch, { recursive: true });
});
const image = readDockerfile();

function read(name: string): ComposeFile {
  return parse(readFileSync(join(folder, name), "utf8"), { merge: true }) as ComposeFile;
}

const files = { trial: read("compose.yaml"), production: read("compose.production.yaml") };
const guide = readFileSync(join(folder, "../docs/operations.md"), "utf8");

/** What the containers of `docker compose run --rm SERVICE WORDS` execute, as the guide and the file's comments have it. */
function documentedRuns(): readonly { readonly written: string; readonly executed: string }[] {
  const texts = [guide, readFileSync(join(folder, "compose.production.yaml"), "utf8")];
  const runs = texts.flatMap((text) => [
    ...text.matchAll(
      /docker compose -f deploy\/compose\.production\.yaml run --rm (\w+)((?: --[\w-]+)*)/g,
    ),
  ]);
  return runs.map(([written, name = "", words]) => {
    const service = files.production.services[name];
    const given = words?.trim() ?? "";
    const command = given === "" ? (service?.command ?? []).join(" ") : given;
    return {
      written,
      executed: [...(service?.entrypoint ?? image.entrypoint), command].join(" ").trim(),
    };
  });
}
const roles = Object.entries(files).flatMap(([kind, file]) =>
  Object.entries(file.services)
    .filter(([, service]) => /sluice/.test(service.image))
    .map(([name, service]) => ({ kind, name, service, file })),
);

/** What a container's process finds in its environment, with the mounted files in a folder of this test. */
function environmentOf(service: Service): Record<string, string> {
  const secrets = mkdtempSync(join(scratch, "secrets-"));
  for (const name of service.secrets ?? []) {
    const isUrl = name === "database-url" || /-\d$/.test(name);
    writeFileSync(join(secrets, name), isUrl ? `http://user:hidden@${name}\n` : `${name}\n`);
  }
  const given = { ...image.environment, ...service.environment };
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      value
        .replace("/run/secrets", secrets)
        .replace("/etc/sluice/sluice.toml", join(folder, "systemd/sluice.toml")),
    ]),
  );
}

describe("the compose files", () => {
  it("start every role", () => {
    const names = (file: ComposeFile) => Object.keys(file.services).sort();
    expect(names(files.trial)).toEqual(["api", "bitcoin", "init", "postgres", "signer", "worker"]);
    expect(names(files.production)).toEqual(["api", "init", "migrate", "signer", "worker"]);
  });

  it.each(roles)("configure $kind $name", async ({ name, service, kind }) => {
    const environment = environmentOf(service);
    const config = await readConfig(environment["SLUICE_CONFIG"] ?? "", environment);
    expect(config.listen.host).toBe("0.0.0.0");
    expect(config.worker.host).toBe("0.0.0.0");
    expect(config.payouts).toBeDefined();
    expect(config.signer.folder).toBe("/var/lib/sluice/signer");
    if (kind === "production") {
      const hasPassword = config.database.url.includes("hidden");
      expect(hasPassword).toBe(["api", "worker", "migrate"].includes(name));
    }
  });

  it.each(roles)("confine $kind $name", ({ service }) => {
    expect(service.read_only).toBe(true);
    expect(service.cap_drop).toEqual(["ALL"]);
    expect(service.security_opt).toEqual(["no-new-privileges:true"]);
  });

  it.each(roles)("run and check the right command in $kind $name", ({ name, service, kind }) => {
    if (service.entrypoint !== undefined) {
      expect([name, service.healthcheck]).toEqual(["init", { disable: true }]);
      expect(service.command === undefined).toBe(kind === "production");
      return;
    }
    expect(service.command).toEqual([name]);
    expect(buildProgram().commands.map((command) => command.name())).toContain(name);
    const isLasting = ["api", "worker", "signer"].includes(name);
    const expected = isLasting ? ["CMD", "sluice", "health", name] : undefined;
    expect(service.healthcheck?.test).toEqual(expected);
  });

  it("execute what the documented commands say", () => {
    const runs = documentedRuns();
    const executed = (part: string) =>
      new Set(runs.filter(({ written }) => written.includes(part)).map((run) => run.executed));
    expect(executed("init")).toEqual(new Set(["/opt/sluice/bin/sluice init --show-words"]));
    expect(executed("migrate")).toEqual(new Set(["/opt/sluice/bin/sluice migrate"]));
    expect(runs.filter(({ written }) => !/ (?:init|migrate)\b/.test(written))).toEqual([]);
  });

  it("only receive without the lines that the guide removes", async () => {
    const [, remove = ""] =
      /^sed -i '(.*)\/d' deploy\/sluice\.toml deploy\/compose/m.exec(guide) ?? [];
    const removed = new RegExp(remove.slice(1).replaceAll("\\|", "|"));
    const without = (text: string): string =>
      text
        .split("\n")
        .filter((line) => !removed.test(line))
        .join("\n");
    const text = readFileSync(join(folder, "compose.production.yaml"), "utf8");
    const receiving = parse(without(text), { merge: true }) as ComposeFile;
    expect(JSON.stringify(receiving)).not.toContain("approval");
    const settings = join(scratch, "receiving.toml");
    writeFileSync(settings, without(readFileSync(join(folder, "systemd/sluice.toml"), "utf8")));
    for (const service of Object.values(receiving.services)) {
      const config = await readConfig(settings, environmentOf(service));
      expect([config.payouts, config.signer.approval_key_files]).toEqual([undefined, []]);
    }
  });

  it.each(Object.entries(files))("name only what the %s file defines", (_kind, file) => {
    const services = Object.values(file.services);
    const secrets = services.flatMap((service) => service.secrets ?? []);
    const configs = services.flatMap(({ configs: used = [] }) => used.map(({ source }) => source));
    const volumes = services
      .flatMap((service) => service.volumes ?? [])
      .filter((volume) => !volume.startsWith("."))
      .map((volume) => volume.split(":")[0]);
    const waits = services.flatMap((service) => Object.keys(service.depends_on ?? {}));
    expect(new Set(secrets)).toEqual(new Set(Object.keys(file.secrets ?? {})));
    expect(new Set(configs)).toEqual(new Set(Object.keys(file.configs ?? {})));
    expect(new Set(volumes)).toEqual(new Set(Object.keys(file.volumes)));
    expect(waits.filter((name) => !(name in file.services))).toEqual([]);
  });

  it("give each secret only to the roles that need it in production", () => {
    const secretsOf = (name: string) => files.production.services[name]?.secrets?.toSorted();
    expect(secretsOf("api")).toEqual(["approval.key", "data.key", "database-url"]);
    expect(secretsOf("worker")).toEqual(["btc-1", "data.key", "database-url"]);
    expect(secretsOf("signer")).toEqual(["passphrase"]);
    expect(secretsOf("migrate")).toEqual(["database-url"]);
    expect(files.production.services["api"]?.volumes).toBeUndefined();
  });

  it.each([".dockerignore", ".gitignore"])(
    "keep what they mount out of images and commits: %s",
    (name) => {
      const root = join(folder, "..");
      const excluded = readFileSync(join(root, name), "utf8")
        .split("\n")
        .map((line) => line.replace(/^\/|\/$/g, ""))
        .filter((line) => line !== "" && !line.startsWith("#"));
      const mounted = Object.values(files).flatMap(({ secrets = {}, configs = {} }) =>
        [...Object.values(secrets), ...Object.values(configs)].flatMap(({ file }) =>
          file === undefined ? [] : [relative(root, join(folder, file))],
        ),
      );
      expect(mounted).toContain("deploy/secrets/data.key");
      const isExcluded = (path: string) =>
        excluded.some((line) => path === line || path.startsWith(`${line}/`));
      expect(mounted.filter((path) => !isExcluded(path))).toEqual([]);
    },
  );

  it("leave the signer without a network and publish ports to this machine only", () => {
    for (const file of Object.values(files)) {
      expect(file.services["signer"]?.network_mode).toBe("none");
      const ports = Object.values(file.services).flatMap((service) => service.ports ?? []);
      expect(ports).toEqual(["127.0.0.1:8080:8080"]);
    }
  });
});
