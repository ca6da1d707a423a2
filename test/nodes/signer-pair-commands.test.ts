/** `sluice signer pair` on a real etcd. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createPair, showPair, takeOverPair } from "../../src/main/commands/signer-pair.ts";
import { createEtcdWitness } from "../../src/signer/pair/etcd-witness.ts";
import { type DeploymentFiles, openTerminal, writeDeployment } from "../support/command-line.ts";
import { describeWithEtcd, type Etcd } from "../support/etcd.ts";

const written: DeploymentFiles[] = [];

describeWithEtcd("the commands of a pair", (start) => {
  let etcd: Etcd;
  beforeAll(async () => {
    etcd = await start();
  });
  afterAll(async () => {
    await etcd.close();
    for (const files of written) await files.remove();
  });

  it("create a pair once, show it, and take over only from a signer that is lost", async () => {
    const endpoints = [etcd.url];
    const terminal = openTerminal();
    const configFor = async (name: string, peer: string) => {
      const files = { certificate_file: "c", key_file: "k", authority_file: "a" };
      const pair = { name, peer: { name: peer, host: peer, ...files }, witness: { endpoints } };
      const deployment = await writeDeployment("postgres://127.0.0.1:1/none", {
        signer: { folder: "signer", passphrase_file: "p", pair },
      });
      written.push(deployment);
      return deployment.configFile;
    };
    const [one, two] = [await configFor("one", "two"), await configFor("two", "one")];
    await expect(showPair(one, terminal)).rejects.toThrow("no record");
    await createPair(one, terminal);
    await expect(createPair(two, terminal)).rejects.toThrow("has a record");
    terminal.lines();
    await showPair(two, terminal);
    expect(terminal.lines()).toEqual(["active   one", "in sync  one", "epoch    1"]);

    await expect(takeOverPair(one, { isOtherLost: true }, terminal)).rejects.toThrow("already");
    await expect(takeOverPair(two, { isOtherLost: false }, terminal)).rejects.toThrow(
      "two lacks these signatures",
    );
    const witness = createEtcdWitness({ endpoints, key: "sluice/signer" });
    const seen = await witness.read();
    const both = { epoch: 1, active: "one", inSync: ["one", "two"] };
    const revision = await witness.replace(both, seen?.revision ?? null);
    expect(await witness.replace({ ...both, epoch: 9 }, seen?.revision ?? null)).toBeNull();
    await expect(takeOverPair(two, { isOtherLost: true }, terminal)).rejects.toThrow("in sync");
    await witness.replace({ ...both, inSync: ["one"] }, revision);
    await takeOverPair(two, { isOtherLost: true }, terminal);
    expect((await witness.read())?.record).toEqual({ epoch: 2, active: "two", inSync: ["two"] });
  });

  it("name an endpoint that does not answer", async () => {
    const witness = createEtcdWitness({ endpoints: ["http://127.0.0.1:1"], key: "k" });
    await expect(witness.read()).rejects.toThrow("witness: http://127.0.0.1:1: ");
  });
});
