/**
 * Compares README and docs/ with the program: links resolve, commands and metrics exist, and the configuration table matches the
 * schema, member by member, with its defaults.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { buildProgram } from "../src/main/build/build-program.ts";
import { configSchema } from "../src/main/config/config.ts";
import { readMetrics } from "./support/read-metrics.ts";

const root = join(import.meta.dirname, "..");

const pages = ["README.md", "client/README.md", ...pagesBelow("docs")].map((path) => ({
  path,
  text: readFileSync(join(root, path), "utf8"),
}));

function pagesBelow(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

function pageAt(path: string): string {
  return pages.find((page) => page.path === path)?.text ?? "";
}

/** `[path, found]` for each match of the pattern's first group in any page. */
function mentions(pattern: RegExp): readonly (readonly [path: string, found: string])[] {
  return pages.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map((match) => [path, match[1] ?? ""] as const),
  );
}

describe("README and docs", () => {
  it("link only to existing files and headings", () => {
    const links = mentions(/\]\(([^)\s]+)\)/g).filter(([, link]) => !/^[a-z]+:/.test(link));
    const broken = links.filter(([path, link]) => {
      const [file = "", anchor = ""] = link.split("#");
      const target = file === "" ? path : relative(root, join(root, dirname(path), file));
      if (!existsSync(join(root, target))) return true;
      return anchor !== "" && !anchorsOf(pageAt(target)).has(anchor);
    });
    expect(links.length).toBeGreaterThan(20);
    expect(broken).toEqual([]);
  });

  /** The anchors of a page's headings. */
  function anchorsOf(text: string): ReadonlySet<string> {
    const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
    return new Set(
      headings.map((heading) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
          .replaceAll(" ", "-"),
      ),
    );
  }

  it("name only existing commands and options", () => {
    const program = buildProgram();
    const calls = mentions(/(?<=npx |`)sluice ([a-z][^`\n|#]*)/g);
    const unknown = calls.filter(([, call]) => !isKnown(program, call.trim().split(/\s+/)));
    expect(calls.length).toBeGreaterThan(20);
    expect(unknown).toEqual([]);
  });

  function isKnown(program: Command, [name, ...words]: readonly string[]): boolean {
    const command = program.commands.find((candidate) => candidate.name() === name);
    if (command === undefined) return false;
    // A group such as `member` is not a command; the next word is. `signer` is both.
    const isGroup = command.options.length === 0 || words[0]?.startsWith("--") === false;
    if (command.commands.length > 0 && isGroup) return isKnown(command, words);
    return words
      .filter((word) => word.startsWith("--"))
      .every((word) => command.options.some(({ long }) => long === word));
  }

  it("name the metrics that the service has", async () => {
    const real = [...(await readMetrics()).keys()];
    const own = real.filter((name) => name.startsWith("sluice_"));
    const named = new Set(mentions(/\b(sluice_[a-z_]+[a-z])\b/g).map(([, name]) => name));
    const suffixless = [...named].map((name) => name.replace(/_(bucket|count|sum)$/, ""));
    expect(suffixless.filter((name) => !real.includes(name))).toEqual([]);
    const tabled = [...pageAt("docs/operations.md").matchAll(/^\| `(sluice_\w+)`/gm)];
    expect(tabled.map(([, name]) => name).sort()).toEqual(own.sort());
  });

  it("list in operations.md every configuration member with its default, and no other", () => {
    const [, section = ""] = /## Configuration file\n([\s\S]*?)\n## /.exec(
      pageAt("docs/operations.md"),
    ) ?? [""];
    const rows = [...section.matchAll(/^\| `([^`]+)` \| `?([^|`]+)`? \|/gm)];
    expect(rows.map(([, path, fallback]) => [path, fallback?.trim()])).toEqual(
      membersOf(configSchema, "", defaults),
    );
  });
});

const otherSigner = {
  host: "signer",
  certificate_file: "crt",
  key_file: "key",
  authority_file: "ca",
};

const defaults: unknown = configSchema.parse({
  base_url: "https://pay.example.com",
  database: { url: "postgres://localhost/sluice", replica: { url: "postgres://standby/sluice" } },
  keys: { data_key_files: ["data.key"] },
  signer: {
    folder: "signer",
    passphrase_file: "passphrase",
    listen: {},
    remote: { ...otherSigner, second: { host: "signer-b" } },
    pair: {
      name: "signer-a",
      peer: { name: "signer-b", ...otherSigner },
      witness: { endpoints: ["https://etcd:2379"] },
    },
  },
  chains: {},
  payouts: { approval_key_file: "approval.key" },
  mail: { host: "smtp.example.com", from: "pay@example.com" },
  tracing: { endpoint: "http://collector" },
});

const given = new Set([
  "base_url",
  "database.url",
  "database.replica.url",
  "keys.data_key_files",
  "signer.folder",
  "signer.passphrase_file",
  "signer.remote.host",
  "tracing.endpoint",
  "signer.remote.certificate_file",
  "signer.remote.key_file",
  "signer.remote.authority_file",
  "signer.remote.second.host",
  "signer.pair.name",
  "signer.pair.peer.name",
  "signer.pair.peer.host",
  "signer.pair.peer.certificate_file",
  "signer.pair.peer.key_file",
  "signer.pair.peer.authority_file",
  "signer.pair.witness.endpoints",
  "payouts.approval_key_file",
  "mail.host",
  "mail.from",
]);

/** The parts of a schema that this test reads. */
type Inside = {
  readonly type: string;
  readonly innerType?: { readonly def: unknown };
  readonly element?: { readonly def: unknown };
  readonly valueType?: { readonly def: unknown };
  readonly shape?: Readonly<Record<string, { readonly def: unknown }>>;
  readonly in?: { readonly def: unknown };
  readonly options?: readonly { readonly def: unknown }[];
};

/** `[path, default]` for each leaf: a value as JSON, `required`, or `none` for an optional member. */
function membersOf(
  schema: { readonly def: unknown },
  path: string,
  fallback: unknown,
  isOptional = false,
): readonly (readonly [path: string, fallback: string])[] {
  const { type, innerType, element, valueType, shape } = schema.def as Inside;
  if (innerType !== undefined) {
    return membersOf(innerType, path, fallback, isOptional || type === "optional");
  }
  if (shape !== undefined) {
    const known = (fallback ?? {}) as Readonly<Record<string, unknown>>;
    return Object.entries(shape).flatMap(([name, member]) =>
      membersOf(member, path === "" ? name : `${path}.${name}`, known[name]),
    );
  }
  if (valueType !== undefined && (valueType.def as Inside).shape !== undefined) {
    const key = path.includes(".CHAIN") ? "MASTER" : "CHAIN";
    return membersOf(valueType, `${path}.${key}`, undefined);
  }
  const own = [path, defaultText(fallback, isOptional, path)] as const;
  const table = element === undefined ? null : tableIn(element);
  return table === null ? [own] : [own, ...membersOf(table, `${path}[]`, undefined)];
}

/** The schema of a table among the forms that a list's element may have; null when it is never a table. */
function tableIn(schema: { readonly def: unknown }): { readonly def: unknown } | null {
  const { shape, in: input, options } = schema.def as Inside;
  if (shape !== undefined) return schema;
  if (input !== undefined) return tableIn(input);
  return options?.map(tableIn).find((table) => table !== null) ?? null;
}

/** A required member has no default and is not optional. */
function defaultText(fallback: unknown, isOptional: boolean, path: string): string {
  if (isOptional) return "none";
  return fallback === undefined || given.has(path) ? "required" : JSON.stringify(fallback);
}
