import { type Messages, plural } from "./messages.ts";

export const en: Messages = {
  locale: "en",
  direction: "ltr",
  language: "Language",
  payment: "Payment",
  paymentTo: (shop) => `Payment to ${shop}`,
  sandbox: "Test payment. No real money moves.",
  help: (email) => `Questions? Write to ${email}`,
  backToShop: (shop) => (shop === null ? "Back to the shop" : `Back to ${shop}`),
  copy: "Copy",
  copied: "Copied",
  copyFailed: "Could not copy. Select the text instead.",
  titles: {
    choose: "Choose how to pay",
    waiting: "Waiting for payment",
    seen: "Payment seen",
    partial: "Part of it is missing",
    paid: "Paid",
    unresolved: "Your payment needs a decision",
    expired: "The time to pay is over",
    cancelled: "This payment was cancelled",
  },
  choose: {
    lead: "Pick the coin and the network that your wallet sends on.",
    leadOpen: "Pick the coin and the network that your wallet sends on. You decide how much.",
    search: "Search coin or network",
    coins: "Coins",
    nothingFound: "No coin matches your search.",
    nothingOffered: "No coin can be chosen right now. Please try again later.",
    found: (count) => `${count} ${plural("en", count, { one: "coin", other: "coins" })} found`,
    onNetwork: (network) => `on ${network}`,
    anyAmount: "any amount",
    least: (amount) => `at least ${amount}`,
    unavailable: {
      below_minimum: (minimum) => `Too small for this coin: at least ${minimum}`,
      no_rate: () => "No price right now",
      paused: () => "Not available right now",
    },
    unchangeable: "The coin cannot be changed afterwards.",
    submit: (name) => `Pay with ${name}`,
    submitNone: "Choose a coin first",
    working: "One moment…",
  },
  pay: {
    amount: "Amount to send",
    amountMissing: "Still to send",
    amountOpen: "Send any amount",
    address: "Address",
    tag: { tag: "Destination tag", memo: "Memo" },
    tagWarning: (label) =>
      `Enter the ${label.toLowerCase()} in your wallet too. Without it your payment is lost.`,
    network: (name, network) => `${name} on ${network}`,
    networkWarning: (code, network) =>
      `Send only ${code}, and only on the ${network} network. Anything else may be lost.`,
    simulated: "This coin is simulated: it exists only in this test.",
    qr: (code) => `QR code: address and amount for paying with ${code}`,
    openWallet: "Open in wallet app",
    timeLeft: "Time left",
    timeAnnounced: (minutes) =>
      `${minutes} ${plural("en", minutes, { one: "minute", other: "minutes" })} left to pay`,
    exactly: "Send exactly this amount; your wallet's network fee comes on top.",
    feeHint: "Your wallet's network fee comes on top.",
    receivedOpen: (amount) => `${amount} received so far`,
    alreadyPaid:
      "Already sent? Leave this page open or come back: it shows your payment by itself.",
  },
  rate: {
    line: (code, price, isExact) => `1 ${code} ${isExact ? "=" : "≈"} ${price}`,
    fixedFor: "Price fixed for",
    notFixed: "Not fixed: your payment counts at the price when it arrives",
    expired: "The price has run out.",
    updating: "Getting the current price…",
    update: "Get the current price",
    updateFailed: "The price could not be renewed.",
  },
  wallet: {
    pay: (wallet) => (wallet === null ? "Pay with browser wallet" : `Pay with ${wallet}`),
    pending: "Confirm in your wallet…",
    sent: "Sent by your wallet. It appears here as soon as the network shows it.",
    hint: "Your wallet opens and asks you before anything is sent.",
    changed: "What is to be paid has changed meanwhile. Nothing was sent; please look again.",
    errors: {
      rejected: () => "You declined in the wallet. Nothing was sent.",
      busy: () => "Your wallet already asks you something. Open it and answer there.",
      wrong_network: (network) => `Your wallet did not switch to ${network}. Nothing was sent.`,
      unknown_network: (network) =>
        `Your wallet does not know the network ${network}. Add it there first. Nothing was sent.`,
      no_account: () => "Your wallet gave no account. Nothing was sent.",
      funds: (network) =>
        `Your wallet lacks the amount or the network fee on ${network}. Nothing was sent.`,
      failed: () =>
        "Your wallet reported an error. Look in the wallet whether something was sent before you try again.",
    },
  },
  seen: {
    lead: "The network shows your payment. It is final after a few confirmations.",
    confirmations: (done, needed) =>
      `${done} of ${needed} ${plural("en", needed, { one: "confirmation", other: "confirmations" })}`,
    waitsForBlock: "Waiting for the first block",
    mayClose: "You need do nothing more and may close this page.",
  },
  partial: {
    lead: (received, missing) =>
      `${received} arrived, ${missing} is missing. Please send the rest to the same address.`,
  },
  paid: {
    lead: (shop) =>
      shop === null
        ? "Your payment has arrived. Thank you!"
        : `${shop} has received your payment. Thank you!`,
    receipt: "Receipt",
    price: "Price",
    asked: "Asked for",
    received: "Received",
    time: "Time",
    network: "Network",
    transaction: (count) => plural("en", count, { one: "Transaction", other: "Transactions" }),
    reference: "Payment number",
    print: "Print or save",
  },
  expired: {
    lead: "Nothing arrived in time, so nothing was charged.",
    doNotPay:
      "Please send nothing to this address any more. If you still want to buy, start again in the shop.",
  },
  cancelled: {
    lead: "The shop has cancelled it. Nothing was charged.",
    doNotPay: "Please send nothing to this address any more.",
  },
  unresolved: {
    lead: {
      overpaid: "More arrived than was asked for. Your money is safe.",
      late: "Your payment arrived after the time was over. Your money is safe.",
      second_payment: "A second payment arrived for what was paid already. Your money is safe.",
      partial: "Only a part arrived before the time was over. Your money is safe.",
      cancelled: "Your payment arrived for something that was cancelled. Your money is safe.",
      other: "Your payment arrived, and the shop has to look at it. Your money is safe.",
    },
    next: "What happens now",
    steps: [
      "The shop sees your payment and has been told.",
      "It accepts it, or sends the money back.",
      "This page shows the decision by itself.",
    ],
  },
  refund: {
    title: "Where may money be sent back to?",
    lead: (code, network) =>
      `Should the shop refund you, it uses this address. It must take ${code} on ${network} and belong to you.`,
    label: (code) => `Your ${code} address`,
    submit: "Leave address",
    change: "Change address",
    cancel: "Keep the old one",
    left: "You left this address for a refund:",
    empty: "Enter an address.",
    invalid: (network) => `This is no valid address on ${network}. Please check it.`,
  },
  arrivals: {
    title: "What has arrived",
    states: {
      pending: "Seen",
      confirmed: "Confirmed",
      waiting: "Waits for the shop",
      wrong_asset: "Wrong coin",
      too_small: "Too small",
      held: "Being checked",
      reverted: "Reverted",
      returned: "Sent back",
    },
    explained: {
      wrong_asset: (code) =>
        `${code} was not asked for here, so it does not count. The shop can see it: ask there for help.`,
      too_small: () => "This is less than the least amount that is credited, so it does not count.",
      held: () => "The payment is being checked before it counts. You need do nothing.",
      reverted: () =>
        "The network took this payment back. It does not count unless it appears again.",
      returned: () => "The shop has sent this money back.",
    },
  },
  connection: {
    reconnecting: "Reconnecting…",
    offline: "You are offline. The page goes on by itself.",
  },
  failureTitles: {
    not_found: "This payment page does not exist",
    throttled: "Too many requests",
    unavailable: "The page cannot be shown right now",
  },
  failures: {
    not_found: "Please check the link. Send no money on the strength of this page.",
    throttled:
      "Many requests came from your network just now. This page tries again by itself within a minute or so.",
    unavailable: "Please try again in a moment. Payments that were sent already are not lost.",
  },
  tryAgain: "Try again",
  refused: {
    throttled: "That was a little too often. Please wait a moment and try again.",
    unavailable: "The service does not answer right now. Please try again.",
    offline: "No connection. Please try again when you are online.",
    refused: "That is not possible any more. The page shows how things stand.",
    gone: "This payment page does not exist any more.",
    no_rate: "There is no price for this coin right now. Please try another one, or again later.",
  },
  selfUpdating: "This page updates by itself.",
};
