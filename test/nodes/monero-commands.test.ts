import { mkdir, readdir } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkDeployment } from "../../src/main/commands/check-deployment.ts";
import { initializeKeys } from "../../src/main/commands/initialize-keys.ts";
import { printWalletWords } from "../../src/main/commands/print-wallet-words.ts";
import { type DeploymentFiles, openTerminal, writeDeployment } from "../support/command-line.ts";
import { describeWithMonero, startTestMonero, type TestMonero } from "../support/monero-node.ts";
import { queryMonero } from "../support/query-monero.ts";

/*
 * The operator's commands for XMR: `sluice signer words` prints what restores the account in Monero's own wallet, and `sluice check` asks the
 * view-only wallet's program.
 */

describeWithMonero("the operator's commands for XMR", (programs) => {
  const terminal = openTerminal();
  let node: TestMonero;
  let files: DeploymentFiles;
  const configured = (wallet: string): Promise<DeploymentFiles> =>
    writeDeployment("postgres://nobody@127.0.0.1:1/nothing", {
      chains: {
        BTC: { network: "regtest", nodes: ["http://127.0.0.1:9"] },
        XMR: { network: "regtest", nodes: [node.rpcUrl], start_height: 1, wallet },
      },
    });

  beforeAll(async () => {
    node = await startTestMonero(programs);
    files = await configured(node.viewWalletUrl);
    await mkdir(files.signerFolder, { recursive: true, mode: 0o700 });
    const cost = { memoryKib: 8_192, passes: 1, threads: 1 };
    await initializeKeys(files.configFile, { showWords: false, wordsFile: null, cost }, terminal);
    terminal.lines();
  }, 900_000);
  afterAll(async () => {
    await files.remove();
    await node.stop();
  });

  it("restore the account in Monero's wallet by its words, and leave no file behind", async () => {
    await printWalletWords(files.configFile, "XMR", terminal);
    const [title, words = ""] = terminal.lines();
    expect(title).toMatch(/enough to spend all of it/);
    expect(words.split(" ")).toHaveLength(25);
    expect((await readdir(files.signerFolder)).sort()).toEqual(["keystore.json"]);
    const wallet = { filename: "restored", password: "", seed: words, restore_height: 0 };
    const restored = await queryMonero<{ readonly address: string }>(
      node.viewWalletUrl,
      "restore_deterministic_wallet",
      wallet,
    );
    // The same account: its secret view key is the one that the worker gets.
    const { key } = await queryMonero<{ readonly key: string }>(node.viewWalletUrl, "query_key", {
      key_type: "view_key",
    });
    const again = { filename: "again", password: "", viewkey: key, restore_height: 0 };
    const opened = await queryMonero<{ readonly address: string }>(
      node.viewWalletUrl,
      "generate_from_keys",
      { ...again, address: restored.address },
    );
    expect(opened.address).toBe(restored.address);
  });

  it("name no words where those of the keystore restore the account", async () => {
    await expect(printWalletWords(files.configFile, "BTC", terminal)).rejects.toThrow(
      "wallets of BTC restore the account from the 24 words of the keystore",
    );
    await expect(printWalletWords(files.configFile, "ETH", terminal)).rejects.toThrow(
      "the signer signs nothing on ETH",
    );
  });

  const walletLines = async ({ configFile }: DeploymentFiles): Promise<readonly string[]> => {
    await checkDeployment(configFile, terminal);
    return terminal.lines().filter((line) => line.includes("XMR wallet"));
  };

  it("check the wallet that drafts", async () => {
    await queryMonero(node.viewWalletUrl, "close_wallet").catch(() => undefined);
    expect(await walletLines(files)).toEqual([
      expect.stringMatching(
        /^ok {5}XMR wallet 127\.0\.0\.1:\d+: monero-wallet-rpc, interface 1\.\d+, no wallet is open$/,
      ),
    ]);
    await queryMonero(node.viewWalletUrl, "create_wallet", {
      filename: "open",
      password: "",
      language: "English",
    });
    await queryMonero(node.viewWalletUrl, "refresh");
    expect(await walletLines(files)).toEqual([
      expect.stringMatching(/^ok {5}XMR wallet .*, has read up to block \d+$/),
    ]);
    const wrong = await configured(node.rpcUrl);
    const closed = await configured("http://127.0.0.1:9");
    expect(await walletLines(wrong)).toEqual([expect.stringMatching(/^WRONG {2}XMR wallet /)]);
    expect(await walletLines(closed)).toEqual([expect.stringMatching(/^WRONG {2}XMR wallet /)]);
    await wrong.remove();
    await closed.remove();
  });
});
