import { AppShell, Burger, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, Outlet, useLocation, useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useMe } from "../api/me.ts";
import { useIsSignedIn } from "../api/use-session.ts";
import { useRole } from "../components/use-role.ts";
import { MustChoosePassword } from "../pages/profile/must-choose-password.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { ColorSchemeMenu } from "./color-scheme-menu.tsx";
import { Logo } from "./logo.tsx";
import { navigation } from "./navigation.ts";
import { SearchBox } from "./search-box.tsx";

const mainId = "main";

/** The frame of every page: where one is, where one can go, and the page itself. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  useReturnToSignIn();
  useFocusOnNewPage();
  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 232, breakpoint: "md", collapsed: { mobile: !isOpen } }}
      padding={{ base: "md", sm: "lg" }}
    >
      <a className="skip-link" href={`#${mainId}`}>
        Skip to the content
      </a>
      <AppShell.Header px="md" bg="var(--sluice-nav)">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="md"
              size="sm"
              aria-label={isOpen ? "Close the navigation" : "Open the navigation"}
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
      <AppShell.Navbar p="sm" bg="var(--sluice-nav)" aria-label="Main">
        <AppShell.Section grow style={{ overflowY: "auto" }}>
          <Navigation onChoose={close} />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id={mainId} tabIndex={-1}>
        <MustChoosePassword />
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
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

/** A session that ends while a page is open leads to the sign-in, and back to the page afterwards. */
function useReturnToSignIn(): void {
  const isSignedIn = useIsSignedIn();
  const router = useRouter();
  useEffect(() => {
    if (!isSignedIn) void router.invalidate();
  }, [isSignedIn, router]);
}

/** After a change of pages the keyboard and the screen reader start at the new page, not at its predecessor's link. */
function useFocusOnNewPage(): void {
  const { pathname } = useLocation();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    document.getElementById(mainId)?.focus({ preventScroll: true });
  }, [pathname]);
}
