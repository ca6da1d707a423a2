import type { Messages } from "./messages.ts";

/** "an" for codes such as ETH and LTC, "a" for codes such as BTC and USDT. */
const articleOf = (code: string): string => (/^[AEIOLX]/.test(code) ? "an" : "a");

export const en: Messages = {
  locale: "en",
  direction: "ltr",
  language: "Language",
  payment: "Payment",
  paymentTo: (store) => `Payment to ${store}`,
  sandbox: "Test payment. No real money is transferred.",
  orderNumber: "Order",
  explorer: "View in explorer",
  help: (email) => `Questions? Contact ${email}`,
  backToStore: (store) => (store === null ? "Return to store" : `Return to ${store}`),
  copy: "Copy",
  copied: "Copied",
  copyFailed: "Couldn't copy. Select and copy the text instead.",
  titles: {
    choose: "Choose how to pay",
    waiting: "Waiting for payment",
    seen: "Payment detected",
    partial: "Partially paid",
    paid: "Paid",
    unresolved: "Your payment is under review",
    expired: "This payment has expired",
    cancelled: "This payment was canceled",
  },
  choose: {
    lead: "Choose a currency and network to pay with.",
    leadOpen: "Choose a currency and network to pay with. You decide the amount.",
    search: "Search currency or network",
    currencies: "Currencies",
    nothingFound: "No currencies match your search.",
    nothingOffered: "No currencies are available right now. Try again later.",
    found: (count) => `${count} ${count === 1 ? "currency" : "currencies"} found`,
    onNetwork: (network) => `on ${network}`,
    anyAmount: "any amount",
    minimum: (amount) => `minimum ${amount}`,
    unavailable: {
      below_minimum: (minimum) => `Amount below the minimum of ${minimum}`,
      no_rate: () => "No exchange rate available",
      paused: () => "Temporarily unavailable",
    },
    irrevocable: "You can't change the currency later.",
    submit: (name) => `Pay with ${name}`,
    submitNone: "Choose a currency",
    working: "Please wait…",
  },
  pay: {
    amount: "Amount to send",
    amountRemaining: "Amount remaining",
    amountOpen: "Send any amount",
    address: "Address",
    tag: { destination_tag: "Destination tag", memo: "Memo", comment: "Comment" },
    tagWarning: (label) =>
      `Enter the ${label.toLowerCase()} in your wallet. Without it, your payment will be lost.`,
    account: "Account",
    combined: (label) =>
      `Or one address with the ${label.toLowerCase()}, if your wallet accepts it`,
    accountHint: (label) =>
      `The address above contains the ${label.toLowerCase()}. If your wallet does not accept it, send to this account and enter the ${label.toLowerCase()}. Without it, your payment will be lost.`,
    network: (name, network) => `${name} on ${network}`,
    networkWarning: (code, network) =>
      `Send only ${code} on the ${network} network. Anything else may be lost.`,
    simulated: "Test currency, no real value.",
    qr: (code) => `QR code with the address and amount to pay with ${code}`,
    openWallet: "Open in wallet app",
    expiresIn: "Expires in",
    timeAnnounced: (minutes) => `${minutes} ${minutes === 1 ? "minute" : "minutes"} left to pay`,
    exactly: "Send exactly this amount. Your wallet adds the network fee.",
    feeHint: "Your wallet adds the network fee.",
    preparing: "The payment address is being prepared. It appears here within seconds.",
    receivedOpen: (amount) => `Received so far: ${amount}`,
    alreadyPaid: "Already paid? This page updates automatically.",
  },
  rate: {
    line: (code, price, isExact) => `1 ${code} ${isExact ? "=" : "≈"} ${price}`,
    lockedUntil: (time) => `Rate locked until ${time}`,
    notLocked: "The rate isn't locked. Your payment is converted at the rate when it arrives.",
    expired: "The exchange rate has expired.",
    updating: "Updating the exchange rate…",
    update: "Update exchange rate",
    updateFailed: "The update failed.",
  },
  wallet: {
    pay: (wallet) => (wallet === null ? "Pay with browser wallet" : `Pay with ${wallet}`),
    pending: "Confirm in your wallet…",
    sent: "Sent. The payment appears here once the network sees it.",
    hint: "Your wallet asks you to confirm before it sends anything.",
    changed: "The amount changed. Nothing was sent. Please review and try again.",
    errors: {
      rejected: () => "You declined the request in your wallet. Nothing was sent.",
      busy: () => "Your wallet has a pending request. Open the wallet and respond to it.",
      wrong_network: (network) => `Your wallet did not switch to ${network}. Nothing was sent.`,
      unknown_network: (network) =>
        `Your wallet doesn't support the ${network} network yet. Add it in your wallet first. Nothing was sent.`,
      no_account: () => "Your wallet didn't share an account. Nothing was sent.",
      funds: (network) =>
        `Your wallet has insufficient funds for the amount or the network fee on ${network}. Nothing was sent.`,
      failed: () =>
        "Your wallet reported an error. Check in the wallet whether the payment was sent before you try again.",
    },
  },
  seen: {
    confirmedTitle: "Payment received",
    confirmedLead: "Your payment has all its confirmations and is being credited.",
    lead: "Your payment is on the network. It will be final after a few confirmations.",
    confirmations: (done, needed) =>
      `${done} of ${needed} ${needed === 1 ? "confirmation" : "confirmations"}`,
    waitsForBlock: "Waiting for the first confirmation",
    mayClose: "You're done. You can close this page.",
  },
  partial: {
    lead: (received, missing) =>
      `Received ${received}. ${missing} remaining. Send the rest to the same address.`,
  },
  paid: {
    lead: (store) =>
      store === null
        ? "Your payment was received. Thank you!"
        : `${store} received your payment. Thank you!`,
    receipt: "Receipt",
    store: "Store",
    description: "Description",
    price: "Price",
    requested: "Requested",
    received: "Received",
    refunded: "Refunded",
    time: "Time",
    network: "Network",
    transaction: (count) => (count === 1 ? "Transaction" : "Transactions"),
    reference: "Payment ID",
    print: "Print or save",
  },
  expired: {
    lead: "No payment was received in time. You were not charged.",
    doNotPay: "Don't send funds to the address you were given. To try again, return to the store.",
  },
  cancelled: {
    lead: "The store canceled this payment. You were not charged.",
    doNotPay: "Don't send funds to the address you were given.",
  },
  unresolved: {
    lead: {
      overpaid: (excess) =>
        `You paid ${excess === null ? "" : `${excess} `}more than the amount due. Your funds are safe.`,
      late: () => "Your payment arrived after the time limit. Your funds are safe.",
      second_payment: () =>
        "You sent a second payment after the amount due was paid. Your funds are safe.",
      partial: () =>
        "You paid less than the amount due before the time limit. Your funds are safe.",
      cancelled: () =>
        "The store canceled this payment before your funds arrived. Your funds are safe.",
      other: () => "The store needs to review your payment. Your funds are safe.",
    },
    next: "What happens next",
    steps: [
      "The store reviews your payment.",
      "It accepts or refunds the payment.",
      "This page shows the result automatically.",
    ],
  },
  refund: {
    title: "Refund address",
    lead: (code, network) =>
      `If the store issues a refund, it will be sent here. Use ${articleOf(code)} ${code} address (${network} network) that you control.`,
    label: (code) => `Your ${code} address`,
    submit: "Save refund address",
    final: "Check the address: it can't be changed once it is saved.",
    saved: "Your refund address:",
    fixed: "It can't be changed here. If it is wrong, contact the store.",
    empty: "Enter an address.",
    invalid: (network) => `Enter a valid ${network} address.`,
    tagHint: (label) =>
      `${label}: most exchanges require it. Without it, the refund may be lost. Leave it empty only if your wallet shows none.`,
    invalidTag: (label) => `Check the ${label.toLowerCase()}: it isn't valid for this address.`,
  },
  arrivals: {
    title: "Payments received",
    states: {
      pending: "Pending",
      confirmed: "Confirmed",
      waiting: "Under review",
      wrong_asset: "Wrong currency",
      too_small: "Below minimum",
      held: "Under review",
      reverted: "Reversed",
      returned: "Refunded",
    },
    explained: {
      wrong_asset: (code) =>
        `The store didn't request ${code}, so this payment wasn't credited. Contact the store for help.`,
      too_small: () => "This payment is below the minimum, so it wasn't credited.",
      held: () =>
        "This payment is being reviewed before it is credited. You don't need to do anything.",
      reverted: () =>
        "The network reversed this payment. It is credited only if it is confirmed again.",
      returned: () => "The store refunded this payment.",
    },
  },
  connection: {
    reconnecting: "Reconnecting…",
    offline: "You're offline. Updates resume when you're back online.",
  },
  failureTitles: {
    not_found: "This payment page does not exist",
    throttled: "Too many requests",
    unavailable: "Payment page unavailable",
  },
  failures: {
    not_found: "Check the link. Do not send any payment.",
    throttled:
      "Your network sent too many requests. This page retries automatically in about a minute.",
    unavailable: "Try again shortly. Payments you have already sent are not lost.",
  },
  tryAgain: "Try again",
  refused: {
    throttled: "Too many attempts. Wait a moment and try again.",
    unavailable: "The service is not responding. Try again.",
    offline: "You're offline. Try again when you're back online.",
    choice: "This payment has changed, so your choice wasn't saved.",
    address: "This payment has changed, so your address wasn't saved.",
    gone: "This payment page no longer exists.",
    no_rate: "No exchange rate is available for this currency. Choose another or try again later.",
  },
  selfUpdating: "Live updates are on.",
};
