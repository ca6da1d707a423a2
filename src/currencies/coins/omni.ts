import { type ChainRecord, proofOfWorkReorgLimit } from "../chain-record.ts";
import { defineStablecoin } from "../coin.ts";
import { bitcoin } from "./bitcoin.ts";

/** A layer of Bitcoin with a chain of its own here, because Bitcoin's blocks alone do not show its transfers. It has no coin. */
export const omniChain: ChainRecord = {
  id: "OMNI",
  name: "Omni Layer",
  coinType: 200,
  reorgLimit: proofOfWorkReorgLimit,
  canIncludeFee: false,
  canPayItself: true,
  tag: null,
  paymentUri: null,
  explorer: "https://omniexplorer.info/tx/",
  tokens: null,
  family: "omni",
  facts: null,
};

/** Present only because the interface assigns its id: the issuer no longer supports Omni, and no adapter reads it. */
export const tetherOnOmni = defineStablecoin(omniChain, bitcoin.coin, {
  id: "2005",
  alpha: "USDT-OMNI",
  name: "Tether USD",
  pricedAs: "USDT",
  exp: 8,
  minimalTransfer: "0.01",
  contract: null,
  standard: "omni",
});
