import { AppShell, Burger, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, Navigate, Outlet, useLocation, useRouter } from "@tanstack/react-router";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { session } from "../api/api.ts";
import { renewPush } from "../api/browser-push.ts";
import { type Me, useMe } from "../api/me.ts";
import { reportLanguage } from "../api/report-language.ts";
import { useRole } from "../components/use-role.ts";
import { t } from "../language/t.ts";
import { AccountMenu } from "./account-menu.tsx";
import { ColorSchemeMenu } from "./color-scheme-menu.tsx";
import { Logo } from "./logo.tsx";
import { navigation } from "./navigation.ts";
import { OfflineNote } from "./offline-note.tsx";
import { SearchBox } from "./search-box.tsx";

const mainId = "main";

/** The frame of every page: header, navigation and the page itself. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const me = useMe();
  useReturnToSignIn();
  useRenewedPush(me);
  useReportedLanguage(me);
  useFocusOnNewPage();
  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 232, breakpoint: "md", collapsed: { mobile: !isOpen } }}
      padding={{ base: "md", sm: "lg" }}
    >
      <a className="skip-link" href={`#${mainId}`}>
        {t("Skip to content")}
      </a>
      <AppShell.Header px="md" bg="var(--sluice-nav)">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="md"
              size="sm"
              aria-label={isOpen ? t("Close navigation") : t("Open navigation")}
              aria-expanded={isOpen}
            />
            <Logo />
            <Text fw={700} size="lg" visibleFrom="xs">
              Sluice
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <SearchBox />
            <ColorSchemeMenu />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" bg="var(--sluice-nav)" aria-label={t("Main")} aria-busy={me === null}>
        <AppShell.Section grow style={{ overflowY: "auto" }}>
          <Navigation onChoose={close} />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id={mainId} tabIndex={-1}>
        <OfflineNote />
        <RequirePasswordChange />
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

/** Reports this browser's push subscription once after each sign-in. */
function useRenewedPush(me: Me | null): void {
  const memberId = settledMember(me);
  useEffect(() => {
    // Notifications must not keep the dashboard from working.
    if (memberId !== null) void renewPush(memberId).catch(() => undefined);
  }, [memberId]);
}

/** Reports the page's language once after each sign-in. */
function useReportedLanguage(me: Me | null): void {
  const memberId = settledMember(me);
  useEffect(() => {
    // Emails stay in the former language if this fails.
    if (memberId !== null) void reportLanguage().catch(() => undefined);
  }, [memberId]);
}

/** Null for a program, and for a person with an initial password, who may not change settings yet. */
function settledMember(me: Me | null): string | null {
  return me?.is_person === true && !me.must_change_password ? me.member_id : null;
}

/** Redirects members with an initial password to the profile page, where they set their own. */
function RequirePasswordChange() {
  const me = useMe();
  const { pathname } = useLocation();
  return me?.must_change_password === true && pathname !== "/profile" ? (
    <Navigate to="/profile" replace />
  ) : null;
}

function Navigation({ onChoose }: { readonly onChoose: () => void }) {
  const rights = useRole();
  const me = useMe();
  return navigation.map(({ title, items }) => {
    const shown = items.filter(
      ({ isFor }) => isFor === undefined || (me !== null && isFor(rights, me)),
    );
    if (shown.length === 0) return null;
    return (
      <div key={title ?? ""}>
        {title === null ? null : <div className="nav-title">{title}</div>}
        {shown.map(({ to, label, icon: Icon }) => (
          <Link
            key={to}
            to={to}
            className="nav-link"
            activeOptions={{ exact: to === "/", includeSearch: false }}
            onClick={onChoose}
          >
            <Icon size={18} aria-hidden="true" />
            {label}
          </Link>
        ))}
      </div>
    );
  });
}

/** When the session ends, the router's guard redirects to the sign-in page and back afterwards. */
function useReturnToSignIn(): void {
  const isSignedIn = useSyncExternalStore(session.subscribe, () => session.token() !== null);
  const router = useRouter();
  useEffect(() => {
    if (!isSignedIn) void router.invalidate();
  }, [isSignedIn, router]);
}

/** Moves the focus to the new page after a navigation, for keyboards and screen readers. */
function useFocusOnNewPage(): void {
  const { pathname } = useLocation();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    document.getElementById(mainId)?.focus({ preventScroll: true });
  }, [pathname]);
}
