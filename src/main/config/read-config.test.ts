import { describe, expect, it } from "vitest";
import { ConfigFault, parseConfig } from "./read-config.ts";

/** A configuration file is read completely, and every fault has its line and column. */

const valid = `base_url = "https://pay.example.com"

[database]
url = "postgres://sluice@db/sluice"

[keys]
data_key_files = ["/etc/sluice/data.key"]

[signer]
folder = "/var/lib/sluice/signer"
passphrase_file = "/etc/sluice/passphrase"

[chains.BTC]
network = "mainnet"
nodes = ["http://user:password@10.0.0.5:8332"]
`;

const notcoin = "EQAvlWFDxGF2lXm67y4yzC17wYKD9A0guwPkMs1gOsM__NOT";
const jetton = `
[[tokens]]
id = "90001"
alpha = "TEST"
name = "Test"
chain = "TON"
contract = "${notcoin.replaceAll("_", "/")}"
exp = 9
`;

/** The same with TON in place of Bitcoin, and what is known about the wallets of jettons. */
function ton(wallets?: string): string {
  const chain = valid.replace("chains.BTC", "chains.TON");
  return wallets === undefined
    ? chain
    : `${chain}[chains.TON.jetton_wallets]\n${wallets.replace("HASH", "8d".repeat(32))}\n`;
}

/** The same with payouts; `line` is the nineteenth of the file. */
function withPayouts(line: string): string {
  return `${valid}\n[payouts]\napproval_key_file = "/etc/sluice/approval.key"\n${line}\n`;
}

function faultsOf(text: string, file = "sluice.toml"): string[] {
  try {
    parseConfig(text, file);
  } catch (error) {
    if (error instanceof ConfigFault) return error.message.split("\n");
    throw error;
  }
  return [];
}

describe("readConfig", () => {
  it("fills in defaults for a minimal file", () => {
    const config = parseConfig(valid, "sluice.toml");
    expect(config.listen).toEqual({ host: "127.0.0.1", port: 8080 });
    expect(config.throttle.token).toBe(15);
    expect(config.rates.sources.length).toBeGreaterThanOrEqual(3);
  });

  it("reads a node as a URL or as a table with headers", () => {
    const table = `{ url = "https://node", headers = { KEY = "1" }, header_files = { B = "/b" } }`;
    const config = parseConfig(valid.replace(/nodes = \[/, `nodes = [${table}, `), "sluice.toml");
    expect(config.chains["BTC"]?.nodes).toEqual([
      { url: "https://node", headers: { KEY: "1" }, header_files: { B: "/b" } },
      { url: "http://user:password@10.0.0.5:8332", headers: {}, header_files: {} },
    ]);
  });

  it("accepts a jetton whose wallets it describes, however its master is spelled", () => {
    const wallets = `"${notcoin}" = { code_hash = "HASH", code_depth = 0, layout = "stablecoin" }`;
    expect(faultsOf(`${ton(wallets)}${jetton}`)).toEqual([]);
  });

  it("reads the same from JSON", () => {
    const config = parseConfig(valid, "sluice.toml");
    expect(parseConfig(JSON.stringify(config), "sluice.json")).toEqual(config);
  });

  it("requires the signer's folder and passphrase file only where the signer is on this machine", () => {
    const without = valid.replace(/^(folder|passphrase_file) .*\n/gm, "");
    const reason = "this member is required without signer.remote: set it here or in";
    expect(faultsOf(without)).toEqual([
      `sluice.toml:9:1 signer.folder: ${reason} SLUICE__SIGNER__FOLDER`,
      `sluice.toml:9:1 signer.passphrase_file: ${reason} SLUICE__SIGNER__PASSPHRASE_FILE`,
    ]);
    expect(faultsOf(valid.replace(/^folder = .*$/m, 'folder = ""'))).toEqual([
      `sluice.toml:10:1 signer.folder: ${reason} SLUICE__SIGNER__FOLDER`,
    ]);
    const remote = `${without}
[signer.remote]
host = "signer.internal"
certificate_file = "/etc/sluice/tls/worker-1.crt"
key_file = "/etc/sluice/tls/worker-1.key"
authority_file = "/etc/sluice/tls/signer-ca.crt"
`;
    const config = parseConfig(remote, "sluice.toml");
    expect(config.signer).toMatchObject({ folder: "", passphrase_file: "" });
    expect(parseConfig(JSON.stringify(config), "sluice.json")).toEqual(config);
    // Beside another fault of the section.
    expect(faultsOf(without.replace("[signer]", "[signer]\ncopy_folder = 7"))).toHaveLength(3);
  });

  it.each([
    [
      "a wrong type",
      valid.replace('nodes = ["http', 'nodes = [7, "http'),
      /^sluice\.toml:15:10 chains\.BTC\.nodes\.0: /,
    ],
    [
      "a node that is no URL",
      valid.replace("http://user", "ftp://user"),
      /^sluice\.toml:15:10 chains\.BTC\.nodes\.0: an http or https URL is needed$/,
    ],
    [
      "a node whose URL in a table is none",
      valid.replace(/"http:.*"/, '{ url = "10.0.0.5:8332" }'),
      /^sluice\.toml:15:12 chains\.BTC\.nodes\.0\.url: an http or https URL is needed$/,
    ],
    [
      "a header name with a space",
      valid.replace(/"http:.*"/, '{ url = "http://node", headers = { "API KEY" = "1" } }'),
      /^sluice\.toml:15:\d+ chains\.BTC\.nodes\.0: .*or a table with url, headers/,
    ],
    [
      "a header value of two lines",
      valid.replace(/"http:.*"/, '{ url = "http://node", headers = { KEY = "1\\n2" } }'),
      /^sluice\.toml:15:\d+ chains\.BTC\.nodes\.0\.headers\.KEY: printable ASCII is needed$/,
    ],
    [
      "an empty list of price sources",
      `${valid}\n[rates]\nsources = []`,
      /rates\.sources: at least one source is needed$/,
    ],
    ["a missing member", valid.replace(/^folder.*\n/m, ""), /^sluice\.toml:9:1 signer\.folder: /],
    [
      "an unknown member",
      valid.replace("[keys]", "[keys]\ncolor_scheme = 1"),
      /^sluice\.toml:6:1 keys: .*color_scheme/,
    ],
    [
      "an unknown chain",
      valid.replace("chains.BTC", "chains.XYZ"),
      /^sluice\.toml:13:1 chains\.XYZ: there is no such chain/,
    ],
    [
      "a chain that is not built",
      valid.replace("chains.BTC", "chains.OMNI"),
      /^sluice\.toml:13:1 chains\.OMNI: this chain cannot be followed yet/,
    ],
    [
      "a history of a chain whose nodes keep everything",
      `${valid}history = ["http://10.0.0.6"]\n`,
      /^sluice\.toml:16:\d+ chains\.BTC\.history: BTC does not use history$/,
    ],
    [
      "a limit of the nodes of a chain without gas",
      `${valid}node_fee_max = "2"\n`,
      /^sluice\.toml:16:\d+ chains\.BTC\.node_fee_max: BTC does not use node_fee_max$/,
    ],
    [
      "a limit of the nodes below a wei",
      `${valid.replace("chains.BTC", "chains.ETH")}node_fee_max = "0.0000000000000000001"\n`,
      /^sluice\.toml:16:\d+ chains\.ETH\.node_fee_max: has more than 18 decimals$/,
    ],
    [
      "a private network without its passphrase",
      valid.replace("chains.BTC", "chains.XLM").replace("mainnet", "regtest"),
      /^sluice\.toml:13:1 chains\.XLM: a private network needs its network_passphrase$/,
    ],
    [
      "a private network without its number",
      valid.replace("chains.BTC", "chains.TON").replace("mainnet", "regtest"),
      /^sluice\.toml:13:1 chains\.TON: a private network needs its global_id$/,
    ],
    [
      "a jetton whose wallets nobody describes",
      `${ton()}${jetton}`,
      /^sluice\.toml:13:1 chains\.TON\.jetton_wallets: TEST needs the code of its wallets, under "EQAvl\w+__NOT"$/,
    ],
    [
      "wallets of no jetton",
      ton('NOT = { code_hash = "HASH", code_depth = 0, layout = "stablecoin" }'),
      /^sluice\.toml:16:1 chains\.TON\.jetton_wallets: a master must be the address of a jetton's/,
    ],
    [
      "wallets without the hash of their code",
      ton(`"${notcoin}" = { code_hash = "8d28", code_depth = 0, layout = "stablecoin" }`),
      /^sluice\.toml:17:\d+ chains\.TON\.jetton_wallets\.EQ.*\.code_hash: 64 hexadecimal digits are needed$/,
    ],
    [
      "a disabled chain that does not exist",
      `disabled_chains = ["LTC", "XYZ"]\n${valid}`,
      /^sluice\.toml:1:27 disabled_chains\.1: there is no such chain$/,
    ],
    [
      "a disabled chain that is configured",
      `disabled_chains = ["BTC"]\n${valid}`,
      /^sluice\.toml:1:20 disabled_chains\.0: chains\.BTC is configured$/,
    ],
    [
      "an override of no currency",
      `${valid}\n[[currencies]]\ncurrency = "NOPE"\n`,
      /^sluice\.toml:18:1 currencies\.0\.currency: /,
    ],
    [
      "a ceiling of no currency",
      withPayouts('hot_ceilings = { btc = "1" }'),
      /^sluice\.toml:19:\d+ payouts\.hot_ceilings\.btc: no currency btc/,
    ],
    [
      "an amount with more digits than its currency",
      withPayouts('travel_rule_from = { BTC = "0.000000001" }'),
      /^sluice\.toml:19:\d+ payouts\.travel_rule_from\.BTC: BTC has at most 8 digits/,
    ],
    [
      "a fee ceiling of a token",
      withPayouts('fee_ceilings = { USDT-ETH = "1" }'),
      /^sluice\.toml:19:\d+ payouts\.fee_ceilings\.USDT-ETH: fees are paid in coins/,
    ],
    [
      "a cold address of a chain that does not run here",
      withPayouts('cold_addresses = { LTC = "ltc1qexample" }'),
      /^sluice\.toml:19:\d+ payouts\.cold_addresses\.LTC: this deployment has no such chain/,
    ],
    [
      "a cold address of another network",
      withPayouts('cold_addresses = { BTC = "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx" }'),
      /^sluice\.toml:19:\d+ payouts\.cold_addresses\.BTC: no address of this chain/,
    ],
    [
      "an invalid network for callbacks",
      `${valid}\n[callbacks]\nallowed_networks = ["10.0.0.0/33"]\n`,
      /^sluice\.toml:18:\d+ callbacks\.allowed_networks\.0: a network in CIDR notation/,
    ],
    [
      "a margin of something that is no pair",
      `${valid}\n[rates]\nmargins = { "BTC/XYZ" = "1" }\n`,
      /^sluice\.toml:18:\d+ rates\.margins\.BTC\/XYZ: a pair of two different currencies/,
    ],
    [
      "a margin beyond half the price",
      `${valid}\n[rates]\nmargins = { "BTC/USD" = "50.1" }\n`,
      /^sluice\.toml:18:\d+ rates\.margins\.BTC\/USD: a percentage up to 50/,
    ],
    [
      "a margin of the same pair in the other direction",
      `${valid}\n[rates]\nmargins = { "BTC/USD" = "1", "USD/BTC" = "2" }\n`,
      /^sluice\.toml:18:\d+ rates\.margins\.USD\/BTC: the margin of this pair is given twice/,
    ],
    [
      "a limit of open locks in no currency",
      `${valid}\n[deposits]\nopen_locks_max = { currency = "XYZ", amount = "1" }\n`,
      /^sluice\.toml:18:\d+ deposits\.open_locks_max: no currency XYZ/,
    ],
    [
      "a limit of open locks with more digits than its currency",
      `${valid}\n[deposits]\nopen_locks_max = { currency = "USD", amount = "1.001" }\n`,
      /^sluice\.toml:18:\d+ deposits\.open_locks_max: USD has at most 2 digits/,
    ],
    [
      "a mail user without a password",
      `${valid}\n[mail]\nhost = "smtp.example"\nfrom = "a@b.example"\nuser = "a"\n`,
      /^sluice\.toml:17:\d+ mail\.password_file: mail\.user and mail\.password_file belong together/,
    ],
    [
      "a mail password that would be sent in plain text",
      `${valid}\n[mail]\nhost = "h"\nfrom = "a@b.example"\nuser = "a"\npassword_file = "p"\ntls = "none"\n`,
      /^sluice\.toml:22:\d+ mail\.tls: a password is not sent without TLS/,
    ],
    [
      "a sender that is no email address",
      `${valid}\n[mail]\nhost = "h"\nfrom = "Shop <a@b.example>"\n`,
      /^sluice\.toml:19:\d+ mail\.from: an email address is needed/,
    ],
    ["broken syntax", valid.replace("[keys]", "[keys"), /^sluice\.toml:7:1 /],
  ])("reports the position of %s", (_name, text, expected) => {
    const faults = faultsOf(text);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(expected);
  });

  it("reports the position of a fault in JSON", () => {
    const text = JSON.stringify({ ...parseConfig(valid, "a.toml"), base_url: 5 }, null, 2);
    expect(faultsOf(text, "sluice.json")[0]).toMatch(/^sluice\.json:2:15 base_url: /);
  });

  it("reports several faults at once", () => {
    const text = valid.replace("https://pay.example.com", "ftp://x").replace('"mainnet"', '"moon"');
    expect(faultsOf(text)).toHaveLength(2);
  });
});
