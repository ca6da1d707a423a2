/** `sluice signer pair` on a real etcd. */
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkHealth } from "../../src/main/commands/check-health.ts";
import { createPair, showPair, takeOverPair } from "../../src/main/commands/signer-pair.ts";
import { openEpochFile } from "../../src/signer/pair/epoch-file.ts";
import { createEtcdWitness } from "../../src/signer/pair/etcd-witness.ts";
import { openFolderTokens } from "../../src/signer/pair/folder-tokens.ts";
import { type DeploymentFiles, openTerminal, writeDeployment } from "../support/command-line.ts";
import { runDeploymentSigner } from "../support/deployment-signer.ts";
import { describeWithEtcd, type Etcd } from "../support/etcd.ts";

const written: DeploymentFiles[] = [];
const folders = new Map<string, string>();
const certificates = { certificate_file: "c", key_file: "k", authority_file: "a" };

const none = { other: undefined, isOtherLost: false, isFolderRestored: false };

/** The configuration of a signer of a pair, whose folder is empty. */
async function writePair(name: string, peer: string, witness: object): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "sluice-pair-folder-"));
  folders.set(name, folder);
  const pair = { name, peer: { name: peer, host: peer, ...certificates }, witness };
  const deployment = await writeDeployment("postgres://127.0.0.1:1/none", {
    signer: { folder, passphrase_file: "p", pair },
  });
  written.push(deployment);
  return deployment.configFile;
}

describeWithEtcd("the commands of a pair", (start) => {
  let etcd: Etcd;
  beforeAll(async () => {
    etcd = await start();
  });
  afterAll(async () => {
    await etcd.close();
    for (const files of written) await files.remove();
    for (const folder of folders.values()) await rm(folder, { recursive: true });
  });

  it("create a pair once, show it, and take over only from a signer that is lost", async () => {
    const endpoints = [etcd.url];
    const terminal = openTerminal();
    const one = await writePair("one", "two", { endpoints });
    const two = await writePair("two", "one", { endpoints });
    await expect(showPair(one, terminal)).rejects.toThrow("no record");
    await createPair(one, none, terminal);
    await expect(createPair(two, none, terminal)).rejects.toThrow("has a record");
    terminal.lines();
    await showPair(two, terminal);
    expect(terminal.lines()).toEqual([
      "active   one",
      "in sync  one",
      "epoch    1",
      "folder   none",
    ]);

    const otherIsLost = { ...none, isOtherLost: true };
    const folderIsRestored = { ...none, isFolderRestored: true };
    await expect(takeOverPair(one, otherIsLost, terminal)).rejects.toThrow("already");
    await expect(takeOverPair(two, none, terminal)).rejects.toThrow("two lacks these signatures");
    await expect(takeOverPair(two, folderIsRestored, terminal)).rejects.toThrow(
      "two lacks these signatures",
    );
    const witness = createEtcdWitness({ endpoints, key: "sluice/signer" });
    const seen = await witness.read();
    const both = { epoch: 1, active: "one", inSync: ["one", "two"], folderToken: "t" };
    await witness.replace(both, seen?.revision ?? null);
    expect(await witness.replace({ ...both, epoch: 9 }, seen?.revision ?? null)).toBeNull();
    await expect(takeOverPair(two, otherIsLost, terminal)).rejects.toThrow("in sync");
    await expect(takeOverPair(two, folderIsRestored, terminal)).rejects.toThrow(
      "two lacks these signatures",
    );
    await expect(takeOverPair(one, folderIsRestored, terminal)).rejects.toThrow(
      "two has every signature: start it",
    );
    await takeOverPair(one, { ...folderIsRestored, isOtherLost: true }, terminal);
    const alone = { epoch: 2, active: "one", inSync: ["one"], folderToken: null };
    expect((await witness.read())?.record).toEqual(alone);
    await expect(takeOverPair(one, folderIsRestored, terminal)).rejects.toThrow("--other-folder");
    const otherIsOlder = { ...folderIsRestored, other: { epoch: 1, active: "one" } };
    await takeOverPair(one, otherIsOlder, terminal);
    expect((await witness.read())?.record).toEqual({ ...alone, epoch: 3 });
    await takeOverPair(two, otherIsLost, terminal);
    expect((await witness.read())?.record).toEqual({
      epoch: 4,
      active: "two",
      inSync: ["two"],
      folderToken: null,
    });
  });

  it("begin again after etcd lost the record or was restored, where a signer was active last", async () => {
    const witness = { endpoints: [etcd.url], record_key: "sluice/lost" };
    const terminal = openTerminal();
    const [one, two] = [
      await writePair("first", "second", witness),
      await writePair("second", "first", witness),
    ];
    for (const name of ["first", "second"]) {
      const folder = folders.get(name) ?? "";
      await (await openEpochFile(folder)).see({ epoch: 57, active: "first" });
      await (await openFolderTokens(folder)).take("token");
    }
    await expect(showPair(two, terminal)).rejects.toThrow("no record");
    expect(terminal.lines()).toEqual(["folder   57:first"]);
    await expect(createPair(one, none, terminal)).rejects.toThrow("--other-folder");
    const said = { ...none, other: { epoch: 57, active: "first" } };
    await expect(createPair(two, said, terminal)).rejects.toThrow("on the host of first");
    await createPair(one, said, terminal);
    const { read, replace } = createEtcdWitness({ ...witness, key: witness.record_key });
    const begun = { epoch: 58, active: "first", inSync: ["first"], folderToken: null };
    expect((await read())?.record).toEqual(begun);

    // A snapshot from when the other one was active, and this one in sync.
    const old = { epoch: 50, active: "second", inSync: ["first", "second"], folderToken: "token" };
    await replace(old, (await read())?.revision ?? null);
    const isOld = "its record is older than this signer's folder";
    await expect(showPair(one, terminal)).rejects.toThrow(isOld);
    const lost = { ...none, isOtherLost: true };
    await expect(takeOverPair(two, said, terminal)).rejects.toThrow("on the host of first");
    await takeOverPair(one, said, terminal);
    expect((await read())?.record).toEqual(begun);
    await replace(old, (await read())?.revision ?? null);
    terminal.lines();
    await takeOverPair(two, lost, terminal);
    expect((await read())?.record).toMatchObject({ epoch: 1057, active: "second" });
    expect(terminal.lines().at(-1)).toContain("Before first starts again, empty its folder");
  });

  it("let sluice health tell whether the other signer may be stopped", async () => {
    const witness = { endpoints: [etcd.url], record_key: "sluice/health" };
    const files = await writeDeployment("postgres://127.0.0.1:1/none");
    written.push(files);
    const config = JSON.parse(readFileSync(files.configFile, "utf8")) as {
      readonly signer: object;
    };
    const peer = { name: "one", host: "one", ...certificates };
    const pair = { name: "two", peer, witness };
    const inPair = { ...config, signer: { ...config.signer, pair } };
    writeFileSync(files.configFile, JSON.stringify(inPair));
    const terminal = openTerminal();
    const health = (isReady: boolean) =>
      checkHealth(files.configFile, "signer", { port: null, isReady }, terminal);
    const signer = await runDeploymentSigner(files);
    await expect(health(true)).rejects.toThrow("no record");
    const { replace } = createEtcdWitness({ ...witness, key: witness.record_key });
    const alone = { epoch: 1, active: "one", inSync: ["one"], folderToken: null };
    const revision = await replace(alone, null);
    await expect(health(true)).rejects.toThrow("two is not in sync: it cannot take over");
    await health(false);
    await replace({ ...alone, inSync: ["one", "two"] }, revision);
    await health(true);
    expect(terminal.lines()).toEqual(["signer: ok", "signer: ok"]);
    await signer.close();
    await expect(health(true)).rejects.toThrow(/^signer: /);
  });

  it("log in to an etcd that asks for a user, and again when its users have changed", async () => {
    const guarded = await start();
    try {
      const post = (path: string, body: object, token = ""): Promise<Response> =>
        fetch(`${guarded.url}/v3/auth/${path}`, {
          method: "POST",
          headers: { authorization: token },
          body: JSON.stringify(body),
        });
      const permit = (role: string, key: string): object => ({
        name: role,
        perm: { permType: "READWRITE", key: Buffer.from(key).toString("base64") },
      });
      const users = [
        ["root", "root"],
        ["sluice", "correct horse"],
      ] as const;
      for (const [name, password] of users) {
        await post("user/add", { name, password });
        await post("role/add", { name });
        await post("user/grant", { user: name, role: name });
      }
      await post("role/grant", permit("sluice", "sluice/signer"));
      await post("enable", {});

      const files = await writeDeployment("postgres://127.0.0.1:1/none");
      written.push(files);
      const passwordFile = `${files.configFile}.password`;
      writeFileSync(passwordFile, "correct horse\n");
      const endpoints = [guarded.url];
      const record = { epoch: 1, active: "one", inSync: ["one"], folderToken: null };
      const stranger = createEtcdWitness({ endpoints, key: "sluice/signer" });
      await expect(stranger.replace(record, null)).rejects.toThrow(/HTTP 4\d\d .*etcdserver/);
      const login = { user: "sluice", passwordFile };
      const witness = createEtcdWitness({ endpoints, key: "sluice/signer", login });
      const revision = await witness.replace(record, null);
      const answer = await post("authenticate", { name: "root", password: "root" });
      const { token } = (await answer.json()) as { readonly token: string };
      await post("role/grant", permit("sluice", "sluice/other"), token);
      expect(await witness.read()).toEqual({ record, revision });
      const other = createEtcdWitness({ endpoints, key: "patroni/leader", login });
      await expect(other.read()).rejects.toThrow("permission denied");
      writeFileSync(passwordFile, "wrong\n");
      const mistaken = createEtcdWitness({ endpoints, key: "sluice/signer", login });
      await expect(mistaken.read()).rejects.toThrow("authentication failed");
    } finally {
      await guarded.close();
    }
  });

  it("name an endpoint that does not answer", async () => {
    const witness = createEtcdWitness({ endpoints: ["http://127.0.0.1:1"], key: "k" });
    await expect(witness.read()).rejects.toThrow("witness: http://127.0.0.1:1: ");
  });
});
