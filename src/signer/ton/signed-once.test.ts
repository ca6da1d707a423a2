import { expect, it } from "vitest";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { reasonOf, siteEntropy, useSignerSite } from "../../../test/support/signer-site.ts";
import { writeBody } from "../../chains/ton/build-order.ts";
import { highloadAccountId } from "../../chains/ton/highload-wallet.ts";
import { tonAddressText } from "../../currencies/ton-address.ts";
import { microsPerSecond } from "../../platform/kernel/clock.ts";
import type { PayoutIntent, SignRequest } from "../intent.ts";
import { tonHotPath } from "../keys/account-paths.ts";
import { deriveEd25519 } from "../keys/ed25519-keys.ts";
import { seedOfEntropy } from "../keys/seed-of-entropy.ts";
import { createTonDraftSigner } from "./draft-signer.ts";

/*
 * The wallet of TON forgets an hour or two after a message which query id it had. Two messages for one payout that differ only in their
 * time would then both be executed, so the signer signs the first one only.
 */

const site = useSignerSite();
const { publicKey } = deriveEd25519(seedOfEntropy(siteEntropy()), tonHotPath("main"));
const hot = tonAddressText(highloadAccountId(publicKey), "main");
const networkFee = 20_000_000n;
const to = tonAddressText(new Uint8Array(32).fill(1), "main");
const payout: PayoutIntent = {
  payoutId: "1",
  chain: "TON",
  address: to,
  tag: null,
  currency: "1140",
  asset: { kind: "coin" },
  units: "1500000000",
};

it("signs one message for a payout, and no other one however much time has passed", async () => {
  const clock = manualClock();
  const signer = createTonDraftSigner({
    chain: "TON",
    network: "main",
    jettonWallets: {},
    coldAddress: null,
    clock,
  });
  await site.withSigning(
    async ({ signing, journal }) => {
      const request = (spendId: string): SignRequest => {
        const body = writeBody({
          from: hot,
          payments: [
            {
              call: { type: "coin", to, units: BigInt(payout.units) },
              comment: null,
              bounces: true,
            },
          ],
          sequence: 2_000n,
          createdAt: Math.floor(clock.now() / microsPerSecond) - 10,
          deploys: null,
          networkFee,
        });
        const intent = {
          kind: "payout",
          spendId,
          chain: "TON",
          feeCeiling: networkFee.toString(),
          payouts: [site.approved(payout)],
        } as const;
        return { intent, body, claims: [`${hot}#2000`] };
      };
      const first = request("1");
      const outcome = await signing.sign(first);
      expect(outcome).toMatchObject({ kind: "signed" });
      for (const seconds of [1, 7_200]) {
        clock.advance(seconds);
        for (const spendId of ["1", "2"])
          expect(reasonOf(await signing.sign(request(spendId)))).toContain("the chain forgets");
      }
      expect(await signing.sign(first)).toEqual(outcome);
      expect(journal.newest()).toBe(1);
    },
    clock,
    { draftSigners: [signer] },
  );
});
