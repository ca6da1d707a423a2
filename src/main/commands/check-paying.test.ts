/** What `sluice check` says about the approval key, the signer's limits and the folder for copies, on real files. */
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { createApprovalKeyFiles } from "../build/approval-keys.ts";
import { type Config, configSchema } from "../config/config.ts";
import { checkPaying } from "./check-paying.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-paying-"));
  await mkdir(join(folder, "signer"), { mode: 0o700 });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function configWith(network: "mainnet" | "regtest", signer: object = {}): Config {
  return configSchema.parse({
    base_url: "http://pay.example",
    database: { url: "postgres://db/sluice" },
    keys: { data_key_files: ["data.key"] },
    signer: {
      folder: join(folder, "signer"),
      passphrase_file: join(folder, "passphrase"),
      approval_key_files: [join(folder, "approval.pub")],
      ...signer,
    },
    payouts: { approval_key_file: join(folder, "approval.key") },
    chains: { BTC: { network, nodes: ["http://node"] }, LTC: { network, nodes: ["http://node"] } },
  });
}

const findings = (config: Config) => Promise.all(checkPaying(config, systemClock));

const outcome = async (config: Config, place: number) => {
  const finding = (await findings(config))[place];
  return [finding?.isWell, finding?.detail];
};

it("accepts an approval key that the signer knows, and warns when others can read it", async () => {
  const config = configWith("regtest");
  await createApprovalKeyFiles(config, systemRandom);
  const [approval, limits] = await findings(config);
  expect(approval).toMatchObject({ isWell: true, detail: "the signer accepts it", notes: [] });
  expect(limits).toMatchObject({ isWell: true, detail: "none, on all chains" });
  await chmod(join(folder, "approval.key"), 0o640);
  expect((await findings(config))[0]?.notes).toEqual([
    expect.stringContaining("can be read by other users"),
  ]);
});

it("reports an approval key that the signer does not know, and one that is missing", async () => {
  const config = configWith("regtest", { approval_key_files: [] });
  expect(await outcome(config, 0)).toEqual([false, expect.stringContaining("ENOENT")]);
  await createApprovalKeyFiles(config, systemRandom);
  expect(await outcome(config, 0)).toEqual([
    false,
    expect.stringContaining("signer.approval_key_files"),
  ]);
});

it("leaves limits and accepted keys to the signer's machine", async () => {
  const remote = {
    host: "signer.internal",
    certificate_file: "worker.crt",
    key_file: "worker.key",
    authority_file: "ca.crt",
  };
  await createApprovalKeyFiles(configWith("mainnet"), systemRandom);
  const unlisted = await findings(configWith("mainnet", { remote, approval_key_files: [] }));
  expect(unlisted).toEqual([expect.objectContaining({ isWell: true })]);
  expect(unlisted[0]?.detail).toContain("on the signer's machine");
  const listed = await findings(configWith("mainnet", { remote }));
  expect(listed).toMatchObject([{ isWell: true, detail: "the signer accepts it" }]);
  const other = join(folder, "other.pub");
  await writeFile(other, Buffer.alloc(32, 7).toString("base64"));
  const wrong = await findings(configWith("mainnet", { remote, approval_key_files: [other] }));
  expect(wrong).toMatchObject([{ isWell: false }]);
});

it("reports missing limits on main networks, faulty ones, and names chains without any", async () => {
  const config = configWith("mainnet");
  await createApprovalKeyFiles(config, systemRandom);
  expect((await findings(config))[1]).toMatchObject({
    isWell: false,
    detail: "the file is missing: on main networks nothing is signed",
  });
  const limits = join(folder, "signer", "limits.json");
  await writeFile(limits, '{"chains":{"BTC":{}}}');
  expect(await outcome(config, 1)).toEqual([
    false,
    expect.stringMatching(/limits\.json:1:\d+ chains\.BTC/),
  ]);
  const none = { fee_per_transaction: "none", fees_per_day: "none", currencies: "none" };
  await writeFile(limits, JSON.stringify({ chains: { BTC: none } }));
  expect((await findings(config))[1]).toMatchObject({
    isWell: true,
    detail: "for BTC",
    notes: ["LTC is not listed: the signer signs nothing there"],
  });
});

it("reports a copy folder that is missing, and warns about one on the same disk", async () => {
  const copyFolder = join(folder, "copies");
  const config = configWith("regtest", { copy_folder: copyFolder });
  await createApprovalKeyFiles(config, systemRandom);
  expect(await outcome(config, 2)).toEqual([false, expect.stringContaining("ENOENT")]);
  await mkdir(copyFolder);
  await chmod(copyFolder, 0o755);
  expect((await findings(config))[2]).toMatchObject({
    isWell: true,
    notes: [
      `${copyFolder} can be entered by other users: chmod 700 it`,
      "it is on the same disk as the signer's folder",
    ],
  });
  await rm(copyFolder, { recursive: true });
  await writeFile(copyFolder, "");
  expect((await findings(config))[2]).toMatchObject({ detail: "it is not a folder" });
});
