/** Environment variables set every member of the configuration; faults name the variable and never show its value. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Config, configSchema } from "./config.ts";
import type { Environment } from "./environment.ts";
import { ConfigFault, readConfig, readConfigWithSettings } from "./read-config.ts";

let folder = "";
let file = "";
let secret = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-environment-"));
  file = join(folder, "sluice.toml");
  secret = join(folder, "secret");
  await writeFile(
    file,
    `base_url = "https://pay.example.com"
[database]
url = "postgres://sluice@db/sluice"
[keys]
data_key_files = ["/etc/sluice/data.key"]
[signer]
folder = "/var/lib/sluice/signer"
passphrase_file = "/etc/sluice/passphrase"
[chains.BTC]
network = "mainnet"
nodes = ["http://10.0.0.5:8332"]
`,
  );
  await writeFile(secret, "postgres://sluice:hidden@db/sluice\n");
});
afterAll(() => rm(folder, { recursive: true }));

const read = (environment: Environment): Promise<Config> => readConfig(file, environment);

async function faultsOf(environment: Environment, configFile = file): Promise<readonly string[]> {
  try {
    await readConfig(configFile, environment);
  } catch (error) {
    if (error instanceof ConfigFault) return error.message.split("\n");
    throw error;
  }
  return [];
}

describe("environment variables", () => {
  it("override members of the file: text, numbers, truth values, lists and tables", async () => {
    const config = await read({
      SLUICE__BASE_URL: "https://other.example.com",
      SLUICE__LISTEN__PORT: "9000",
      SLUICE__HTTP__STRICT_MEDIA_TYPES: "false",
      SLUICE__HTTP__CORS_ORIGINS: '["https://shop.example.com"]',
      SLUICE__RATES__MARGINS: '{"BTC/USD":"0.5"}',
      SLUICE__SIGNER__PASSPHRASE_FILE: "/run/secrets/passphrase",
      PATH: "/bin",
      SLUICE_HOME: "/elsewhere",
    });
    expect(config).toMatchObject({
      base_url: "https://other.example.com",
      listen: { host: "127.0.0.1", port: 9000 },
      http: { strict_media_types: false, cors_origins: ["https://shop.example.com"] },
      rates: { margins: { "BTC/USD": "0.5" } },
      signer: { folder: "/var/lib/sluice/signer", passphrase_file: "/run/secrets/passphrase" },
      chains: { BTC: { network: "mainnet" } },
    });
  });

  it("add chains, entries of lists and sections that the file lacks", async () => {
    const config = await read({
      SLUICE__CHAINS__BNB_BSC__NETWORK: "mainnet",
      SLUICE__CHAINS__BNB_BSC__NODES__0: "http://bsc-1",
      SLUICE__CHAINS__BNB_BSC__NODES__1__URL: "http://bsc-2",
      SLUICE__CHAINS__BNB_BSC__NODES__1__HEADERS__X_API_KEY: "key",
      SLUICE__CHAINS__BTC__NODES__1: '{"url":"http://10.0.0.6:8332"}',
      SLUICE__SCREENING__URL: "https://screening.internal",
      SLUICE__PAYOUTS__APPROVAL_KEY_FILE: "/run/secrets/approval",
      SLUICE__PAYOUTS__HOT_CEILINGS__USDT_ETH: "5",
    });
    const bare = { headers: {}, header_files: {} };
    expect(config.chains["BNB-BSC"]?.nodes).toEqual([
      { url: "http://bsc-1", ...bare },
      { url: "http://bsc-2", headers: { "X-API-KEY": "key" }, header_files: {} },
    ]);
    expect(config.chains["BTC"]?.nodes.map(({ url }) => url)).toEqual([
      "http://10.0.0.5:8332",
      "http://10.0.0.6:8332",
    ]);
    expect(config.screening).toEqual({ url: "https://screening.internal" });
    expect(config.payouts?.hot_ceilings).toEqual({ "USDT-ETH": "5" });
  });

  it("read values from files, without the last line break", async () => {
    const nodes = join(folder, "nodes");
    await writeFile(nodes, '["http://user:hidden@10.0.0.7:8332"]');
    const { config, settings } = await readConfigWithSettings(file, {
      SLUICE__DATABASE__URL_FILE: secret,
      SLUICE__CHAINS__BTC__NODES_FILE: nodes,
      SLUICE__CHAINS__BTC__NODES__1_FILE: secretNode(),
    });
    expect(config.database.url).toBe("postgres://sluice:hidden@db/sluice");
    expect(config.chains["BTC"]?.nodes.map(({ url }) => url)).toEqual([
      "http://user:hidden@10.0.0.7:8332",
      "http://second",
    ]);
    expect(settings.map(({ name, file: source }) => [name, source])).toEqual([
      ["SLUICE__CHAINS__BTC__NODES_FILE", nodes],
      ["SLUICE__CHAINS__BTC__NODES__1_FILE", secretNode()],
      ["SLUICE__DATABASE__URL_FILE", secret],
    ]);
  });

  function secretNode(): string {
    return join(folder, "node");
  }
  beforeAll(() => writeFile(secretNode(), "http://second\r\n"));

  it("are enough without a file", async () => {
    const config = await readConfig("/dev/null", {
      SLUICE__BASE_URL: "https://pay.example.com",
      SLUICE__DATABASE__URL: "postgres://db/sluice",
      SLUICE__KEYS__DATA_KEY_FILES: '["/run/secrets/data.key"]',
      SLUICE__SIGNER__FOLDER: "/var/lib/sluice",
      SLUICE__SIGNER__PASSPHRASE_FILE: "/run/secrets/passphrase",
      SLUICE__CHAINS: '{"ETH":{"network":"mainnet","nodes":["http://eth-1"]}}',
      SLUICE__CHAINS__ETH__TRACING: "off",
    });
    expect(config.chains["ETH"]).toMatchObject({ network: "mainnet", tracing: "off" });
    expect(await faultsOf({}, "/dev/null")).toContain(
      "/dev/null:1:1 base_url: this member is required: set it here or in SLUICE__BASE_URL",
    );
  });

  it.each<[string, Environment, RegExp]>([
    ["a member that does not exist", { SLUICE__DATABSE__URL: "hidden" }, /no such member$/],
    ["a name in lower case", { SLUICE__database__url: "hidden" }, /no such member$/],
    ["a section without a member", { SLUICE__LISTEN__: "hidden" }, /no such member$/],
    ["an empty variable", { SLUICE__DATABASE__URL: "" }, /the variable is empty: unset it/],
    ["a word for a number", { SLUICE__LISTEN__PORT: "hidden" }, /: an integer is needed$/],
    ["a wrong truth value", { SLUICE__HTTP__STRICT_MEDIA_TYPES: "yes" }, /: true or false is/],
    ["a list that is not JSON", { SLUICE__HTTP__CORS_ORIGINS: "hidden" }, /: a list as JSON is/],
    ["a table for a list", { SLUICE__HTTP__CORS_ORIGINS: "{}" }, /: a list as JSON is needed/],
    ["a list for a table", { SLUICE__RATES__MARGINS: "[]" }, /: a table as JSON is needed$/],
    ["a port out of range", { SLUICE__LISTEN__PORT: "70000" }, / listen\.port: /],
    [
      "a node that is no URL",
      { SLUICE__CHAINS__BTC__NODES__0: "hidden" },
      / chains\.BTC\.nodes\.0: an http or https URL is needed/,
    ],
    [
      "a chain that does not exist",
      { SLUICE__CHAINS__XYZ: '{"network":"mainnet","nodes":["http://a"]}' },
      / chains\.XYZ: there is no such chain$/,
    ],
    [
      "an unknown member of a table",
      { SLUICE__CHAINS__BTC: '{"network":"mainnet","nodes":["http://a"],"color":1}' },
      / chains\.BTC: .*color/,
    ],
    [
      "an entry that leaves a gap",
      { SLUICE__CHAINS__BTC__NODES__2: "http://a" },
      /: the list has 1 entries: set number 1 first$/,
    ],
    [
      "a member of a node that is a URL",
      { SLUICE__CHAINS__BTC__NODES__0__URL: "http://a" },
      /: its parent 0 is a single value: set that as a whole$/,
    ],
    ["a missing file", { SLUICE__DATABASE__URL_FILE: "/nowhere" }, /: ENOENT.*\/nowhere/],
  ])("report %s by the variable's name", async (_what, environment, expected) => {
    const faults = await faultsOf(environment);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${Object.keys(environment)[0]}[: ]`));
    expect(faults[0]).toMatch(expected);
    expect(faults[0]).not.toContain("hidden");
  });

  it("report a value that is given twice, and an empty file", async () => {
    const empty = join(folder, "empty");
    await writeFile(empty, "\n");
    expect(
      await faultsOf({ SLUICE__DATABASE__URL: "hidden", SLUICE__DATABASE__URL_FILE: secret }),
    ).toEqual([
      "SLUICE__DATABASE__URL_FILE: database.url is also set by SLUICE__DATABASE__URL: unset one",
    ]);
    expect(await faultsOf({ SLUICE__DATABASE__URL_FILE: empty })).toEqual([
      `SLUICE__DATABASE__URL_FILE: ${empty} is empty`,
    ]);
  });

  it("report faults of variables and of the file at once, and keep the file's positions", async () => {
    const other = join(folder, "faulty.toml");
    await writeFile(other, 'base_url = 7\n[database]\nurl = "postgres://db/sluice"\n');
    const faults = await faultsOf({ SLUICE__LOG__LEVEL: "loud" }, other);
    expect(faults[0]).toMatch(/faulty\.toml:1:1 base_url: /);
    expect(faults).toContainEqual(expect.stringMatching(/^SLUICE__LOG__LEVEL log\.level: /));
    expect(faults).toContainEqual(
      expect.stringMatching(/ keys: .* set it here or in SLUICE__KEYS$/),
    );
  });

  it("never confuse a member with the file of another one's value", () => {
    const names = memberNames(configSchema);
    expect(names.length).toBeGreaterThan(80);
    const doubled = names.filter((name) => names.includes(`${name}_file`));
    expect(doubled).toEqual([]);
  });
});

type Inside = {
  readonly innerType?: { readonly def: unknown };
  readonly in?: { readonly def: unknown };
  readonly element?: { readonly def: unknown };
  readonly valueType?: { readonly def: unknown };
  readonly options?: readonly { readonly def: unknown }[];
  readonly shape?: Readonly<Record<string, { readonly def: unknown }>>;
};

/** The dotted names of all members, sections and lists included. */
function memberNames(schema: { readonly def: unknown }, path = ""): readonly string[] {
  const { innerType, in: input, element, valueType, options, shape } = schema.def as Inside;
  const inner = [innerType, input, element, valueType, ...(options ?? [])];
  return [
    ...inner.flatMap((one) => (one === undefined ? [] : memberNames(one, path))),
    ...Object.entries(shape ?? {}).flatMap(([name, member]) => [
      `${path}.${name}`,
      ...memberNames(member, `${path}.${name}`),
    ]),
  ];
}
