import { expect, it } from "vitest";
import { noticeContent } from "./notice-content.ts";
import type { StatedChange } from "./notice-event.ts";
import { pushText } from "./push-text.ts";

const change: StatedChange = {
  kind: "payee_addition",
  code: null,
  span: null,
  walletId: null,
  former: null,
  amount: null,
  chain: "XRP",
  address: "rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH",
  tag: "4711",
  label: "Alice Ltd.",
  isEnforced: null,
};

function shown(label: string | null, language: string): string {
  const event = { kind: "change_approval", id: "7", by: "Dana Fox" } as const;
  const notices = [noticeContent({ ...event, change: { ...change, label } })];
  return pushText("approval_waiting", { count: 1, notices }, language).body;
}

it.each([
  ["en", "Address Alice Ltd. (XRP): not allowed → allowed (requested by Dana Fox)"],
  ["de", "Adresse Alice Ltd. (XRP): nicht erlaubt → erlaubt (beantragt von Dana Fox)"],
  ["es", "Dirección Alice Ltd. (XRP): no permitida → permitida (solicitado por Dana Fox)"],
  ["zh", "地址 Alice Ltd.（XRP）：不允许 → 允许（申请人：Dana Fox）"],
])("shows a browser no address of a change of the allowlist, in %s", (language, body) => {
  expect(shown("Alice Ltd.", language)).toBe(body);
});

it("shows a browser the chain alone of an address without a name", () => {
  expect(shown(null, "en")).toBe("Address (XRP): not allowed → allowed (requested by Dana Fox)");
});

it.each([
  ["en", "paid", { path: "deposits/1", line: "Deposit 1: 10 USD" }, "Payment received"],
  ["de", "paid", { path: "deposits/1", line: "Deposit 1: 10 USD" }, "Zahlung eingegangen"],
  [
    "en",
    "node_down",
    { path: "operations", title: "A node answers again", line: "BTC" },
    "A node answers again",
  ],
] as const)(
  "does not count one notice of the former version, in %s, about %s",
  (language, topic, notice, title) => {
    expect(pushText(topic, { count: 1, notices: [notice] }, language).title).toBe(title);
  },
);

it("counts several notices of the former version", () => {
  const notices = ["1", "2"].map((id) => ({
    path: `deposits/${id}`,
    line: `Deposit ${id}: 10 USD`,
  }));
  expect(pushText("paid", { count: 2, notices }, "en").title).toBe("2 payments received");
});
