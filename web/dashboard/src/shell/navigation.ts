import {
  type Icon,
  IconAddressBook,
  IconArrowDownLeft,
  IconArrowUpRight,
  IconBuildingStore,
  IconCashRegister,
  IconClipboardList,
  IconCoins,
  IconFileUpload,
  IconFlask,
  IconHome,
  IconKey,
  IconLink,
  IconMoodPuzzled,
  IconReportMoney,
  IconServerCog,
  IconShieldLock,
  IconTransfer,
  IconUsers,
  IconWallet,
  IconWebhook,
} from "@tabler/icons-react";
import type { Me } from "../api/me.ts";
import { maySimulate } from "../components/may-simulate.ts";
import type { Rights } from "../components/use-role.ts";
import { t } from "../language/t.ts";

export type NavigationItem = {
  readonly to: string;
  readonly label: string;
  readonly icon: Icon;
  /** Whether the member sees the item. Default: everyone does. */
  readonly isFor?: (rights: Rights, me: Me) => boolean;
};

export type NavigationGroup = {
  readonly title: string | null;
  readonly items: readonly NavigationItem[];
};

/** The dashboard's navigation, in display order. */
export const navigation: readonly NavigationGroup[] = [
  {
    title: null,
    items: [{ to: "/", label: t("Overview"), icon: IconHome }],
  },
  {
    title: t("Payments"),
    items: [
      { to: "/deposits", label: t("Deposits"), icon: IconArrowDownLeft },
      {
        to: "/payment-links",
        label: t("Payment links"),
        icon: IconLink,
        isFor: ({ mayAdminister }) => mayAdminister,
      },
      {
        to: "/point-of-sale",
        label: t("Point of sale"),
        icon: IconCashRegister,
        isFor: ({ mayCreate }) => mayCreate,
      },
      { to: "/payouts", label: t("Payouts"), icon: IconArrowUpRight },
      { to: "/batches", label: t("Bulk payouts"), icon: IconFileUpload },
      { to: "/beneficiaries", label: t("Beneficiaries"), icon: IconAddressBook },
      { to: "/transfers", label: t("Transfers"), icon: IconTransfer },
      { to: "/wallets", label: t("Wallets"), icon: IconWallet },
      { to: "/statements", label: t("Statements"), icon: IconReportMoney },
      { to: "/currencies", label: t("Currencies"), icon: IconCoins },
    ],
  },
  {
    title: t("Manage"),
    items: [
      { to: "/webhooks", label: t("Webhooks"), icon: IconWebhook },
      {
        to: "/store",
        label: t("Store"),
        icon: IconBuildingStore,
        isFor: ({ mayAdministerAccount }) => mayAdministerAccount,
      },
      {
        to: "/protection",
        label: t("Payout protection"),
        icon: IconShieldLock,
        isFor: ({ mayAdministerAccount }) => mayAdministerAccount,
      },
      {
        to: "/team",
        label: t("Team"),
        icon: IconUsers,
        isFor: ({ mayAdminister }) => mayAdminister,
      },
      {
        to: "/credentials",
        label: t("API keys"),
        icon: IconKey,
        isFor: ({ mayAdminister }) => mayAdminister,
      },
      {
        to: "/audit-log",
        label: t("Audit log"),
        icon: IconClipboardList,
        isFor: ({ mayAdministerAccount }) => mayAdministerAccount,
      },
      {
        to: "/operations",
        label: t("Operations"),
        icon: IconServerCog,
        isFor: ({ mayAdminister }) => mayAdminister,
      },
      {
        to: "/unattributed",
        label: t("Unattributed"),
        icon: IconMoodPuzzled,
        isFor: (_rights, me) => me.operates_deployment,
      },
      {
        to: "/simulator",
        label: t("Simulator"),
        icon: IconFlask,
        isFor: maySimulate,
      },
    ],
  },
];
