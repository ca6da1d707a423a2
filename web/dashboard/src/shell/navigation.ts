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
  IconSend,
  IconServerCog,
  IconTransfer,
  IconUsers,
  IconWallet,
  IconWebhook,
} from "@tabler/icons-react";
import type { Me } from "../api/me.ts";
import type { Rights } from "../components/use-role.ts";

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
    items: [{ to: "/", label: "Overview", icon: IconHome }],
  },
  {
    title: "Payments",
    items: [
      { to: "/deposits", label: "Deposits", icon: IconArrowDownLeft },
      {
        to: "/payment-links",
        label: "Payment links",
        icon: IconLink,
        isFor: ({ mayAdminister }) => mayAdminister,
      },
      {
        to: "/point-of-sale",
        label: "Point of sale",
        icon: IconCashRegister,
        isFor: ({ mayCreate }) => mayCreate,
      },
      { to: "/payouts", label: "Payouts", icon: IconArrowUpRight },
      { to: "/batches", label: "Bulk payouts", icon: IconFileUpload },
      { to: "/beneficiaries", label: "Beneficiaries", icon: IconAddressBook },
      { to: "/transfers", label: "Transfers", icon: IconTransfer },
      { to: "/wallets", label: "Wallets", icon: IconWallet },
      { to: "/statements", label: "Statements", icon: IconReportMoney },
      { to: "/currencies", label: "Currencies", icon: IconCoins },
    ],
  },
  {
    title: "Manage",
    items: [
      { to: "/callbacks", label: "Callbacks", icon: IconSend },
      {
        to: "/webhooks",
        label: "Webhooks",
        icon: IconWebhook,
        isFor: ({ mayAdminister }) => mayAdminister,
      },
      {
        to: "/store",
        label: "Store",
        icon: IconBuildingStore,
        isFor: ({ mayAdminister }) => mayAdminister,
      },
      { to: "/team", label: "Team", icon: IconUsers, isFor: ({ mayAdminister }) => mayAdminister },
      {
        to: "/credentials",
        label: "API keys",
        icon: IconKey,
        isFor: ({ mayAdminister }) => mayAdminister,
      },
      {
        to: "/audit-log",
        label: "Audit log",
        icon: IconClipboardList,
        isFor: ({ mayAdminister }) => mayAdminister,
      },
      {
        to: "/operations",
        label: "Operations",
        icon: IconServerCog,
        isFor: ({ mayAdminister }) => mayAdminister,
      },
      {
        to: "/unattributed",
        label: "Unattributed",
        icon: IconMoodPuzzled,
        isFor: (_rights, me) => me.operates_deployment,
      },
      {
        to: "/simulator",
        label: "Simulator",
        icon: IconFlask,
        // The demo account operates the sandbox; the service refuses everyone else.
        isFor: ({ isOwner }, me) => me.is_sandbox && me.operates_deployment && isOwner,
      },
    ],
  },
];
