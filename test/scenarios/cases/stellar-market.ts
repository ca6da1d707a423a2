import { Asset, Claimant, type Keypair, Operation } from "@stellar/stellar-sdk";
import { describe, expect, it } from "vitest";
import { checkAccounts } from "../../../src/main/commands/check-accounts.ts";
import { readConfig } from "../../../src/main/config/read-config.ts";
import { present } from "../../../src/platform/kernel/assert.ts";
import type { StellarSite } from "../../../src/sandbox/sandbox-file.ts";
import { openTerminal } from "../../support/command-line.ts";
import type { Resource } from "../support/api-client.ts";
import { settled } from "../support/callbacks.ts";
import { patienceMs } from "../support/define-scenario.ts";
import { type Shop, withShop } from "../support/shop.ts";
import type { StellarPayer } from "../support/stellar-payer.ts";
import type { TestSite } from "../support/test-site.ts";

type Ground = {
  readonly site: TestSite;
  readonly payer: StellarPayer;
  /** The deposit's place in one text. */
  readonly muxed: (deposit: Resource) => string;
};

/** Money that comes from the market, waits in a claimable balance, or was all that an account had. */
export function describeStellarMarket(ground: () => Ground): void {
  const inShop = (
    alpha: string,
    work: (shop: Shop, wallet: string) => Promise<void>,
  ): Promise<void> =>
    withShop(ground().site, async (shop) => work(shop, await shop.wallet("enterprise", alpha)));

  const hotAddress = (deposit: Resource): string =>
    (deposit.attributes["destination"] as { readonly address: string }).address;

  const unattributed = async (shop: Shop, txid: string): Promise<Resource> => {
    const [waiting] = await settled(
      () => shop.client.list(`/unattributed/?filter[txid]=${txid}`),
      (rows) => rows.length === 1,
    );
    return present(waiting, "the payment");
  };

  /** Offers to sell so much of an asset for the coin. */
  const offer = async (
    maker: Keypair,
    selling: Asset,
    amount: string,
    price: string,
  ): Promise<string> =>
    ground().payer.send(
      [Operation.manageSellOffer({ selling, buying: Asset.native(), amount, price })],
      { source: maker },
    );

  describe("a path payment through the market", () => {
    it("counts what arrived, and only from the right issuer", { timeout: patienceMs }, () =>
      inShop("USDC-XLM", async (shop, wallet) => {
        const { payer, muxed } = ground();
        const { dollar, newAccount, send } = payer;
        const maker = await newAccount();
        await send([Operation.changeTrust({ asset: dollar })], { source: maker });
        await send([
          Operation.payment({ destination: maker.publicKey(), amount: "20", asset: dollar }),
        ]);
        const forged = new Asset(dollar.getCode(), maker.publicKey());
        await offer(maker, dollar, "10", "2");
        await offer(maker, dollar, "10", "3");
        await offer(maker, forged, "1000000", "0.0000001");
        const deposit = await shop.deposit(wallet);
        const destination = muxed(deposit);
        const sendsFor = (destAsset: Asset) =>
          Operation.pathPaymentStrictSend({
            sendAsset: Asset.native(),
            sendAmount: "26",
            destination,
            destAsset,
            destMin: "0.0000001",
          });
        const refused = await payer.submit(await payer.build([sendsFor(forged)]));
        expect(refused.status).toBe("FAILED");
        const txid = await send([sendsFor(dollar)]);
        await shop.expectTransfer(deposit, { amount: "12.0000000", status: 2, txid });
        await send([
          Operation.pathPaymentStrictReceive({
            sendAsset: Asset.native(),
            sendMax: "1000",
            destination,
            destAsset: dollar,
            destAmount: "1.5",
          }),
        ]);
        await shop.expectBalance(wallet, "13.5000000", "0.0000000");
        expect((await shop.transfers(deposit)).map(({ amount }) => amount)).toEqual([
          "12.0000000",
          "1.5000000",
        ]);
      }),
    );
  });

  describe("an account that is merged into the hot account without a memo", () => {
    it("brings all that it had, unattributed", { timeout: patienceMs }, () =>
      inShop("XLM", async (shop, wallet) => {
        const { newAccount, send } = ground().payer;
        const destination = hotAddress(await shop.deposit(wallet));
        const merged = await newAccount("20");
        const source = merged.publicKey();
        const txid = await send([Operation.accountMerge({ destination, source })], {
          signers: [merged],
        });
        const waiting = await unattributed(shop, txid);
        expect(waiting.attributes).toMatchObject({ amount: "20.0000000", tag: null });
        expect(await shop.balance(wallet)).toMatchObject({ confirmed: "0.0000000" });
      }),
    );
  });

  describe("a claimable balance for the hot account", () => {
    /** What `sluice check` says about the account, with the network's Horizon as history. */
    const notes = async (): Promise<string> => {
      const { deployment } = ground().site;
      const config = await readConfig(deployment.configFile, {});
      const xlm = present(config.chains["XLM"], "the chain");
      const { horizon_url } = deployment.chains["XLM"] as StellarSite;
      const history = [{ ...present(xlm.nodes[0], "a node"), url: horizon_url }];
      const withHistory = { ...config, chains: { XLM: { ...xlm, history } } };
      const [found] = await Promise.all(checkAccounts(withHistory, openTerminal()));
      return (found?.notes ?? []).join();
    };

    it("is money of nobody, which `sluice check` shows", { timeout: patienceMs }, () =>
      inShop("XLM", async (shop, wallet) => {
        const { payer, muxed } = ground();
        const deposit = await shop.deposit(wallet);
        const created = await payer.build([
          Operation.createClaimableBalance({
            asset: Asset.native(),
            amount: "11",
            claimants: [new Claimant(hotAddress(deposit))],
          }),
        ]);
        const { hash, status } = await payer.submit(created);
        expect(status).toBe("SUCCESS");
        expect(await notes()).toContain("could claim 11.0000000 native");
        // Ledgers are read in order.
        await payer.send([
          Operation.payment({ destination: muxed(deposit), amount: "2", asset: Asset.native() }),
        ]);
        await shop.expectBalance(wallet, "2.0000000", "0.0000000");
        expect(await shop.transfers(deposit)).toHaveLength(1);
        expect(await shop.client.list(`/unattributed/?filter[txid]=${hash}`)).toEqual([]);
      }),
    );
  });
}
