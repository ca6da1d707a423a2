// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// Pays many receivers in one transaction. The paying account delegates to this code (EIP-7702), which then runs at that account
/// and moves its money only if the account itself calls: its own transaction to itself. Called by anyone else it takes coin and
/// does nothing. Without storage, owner or constructor, one deployment serves every account.
///
/// The data is packed, since each byte costs gas: the selector (4 bytes); the number of assets (1); for each asset its contract, 0
/// for the chain's coin (20), and the gas of one payment (4); for each payment the place of its asset (1), the receiver (20) and
/// the units (15).
///
/// A payment that fails moves nothing and stops no other. Nothing that a receiver or a token returns is copied. After each payment
/// that may run code (whose gas is not 0), an empty log ends that payment's logs. The last log states which calls succeeded: bit n
/// for payment n. Only this code logs under the account's own address.
contract PayoutDelegate {
    fallback() external payable {
        assembly {
            // The first four bytes of keccak256("sluice pay many").
            if or(xor(caller(), address()), xor(shr(224, calldataload(0)), 0x02711fa6)) { stop() }
            let at := add(5, mul(byte(4, calldataload(0)), 24))
            if or(lt(calldatasize(), at), mod(sub(calldatasize(), at), 36)) { revert(0, 0) }
            mstore(0, shl(224, 0xa9059cbb)) // transfer(address,uint256)
            let made := 0
            for { let bit := 1 } lt(at, calldatasize()) { at := add(at, 36) bit := shl(1, bit) } {
                let head := calldataload(at)
                let asset := calldataload(add(5, mul(byte(0, head), 24)))
                let most := and(shr(64, asset), 0xffffffff)
                // One part in 64 stays behind at a call (EIP-150). The rest is for the call itself and the last log. With less, the
                // payment would fail for lack of our gas: it is not made, nor is any after it.
                if lt(gas(), add(add(most, shr(5, most)), 40000)) { break }
                let receiver := shr(96, shl(8, head))
                let units := shr(136, calldataload(add(at, 21)))
                asset := shr(96, asset)
                let done
                switch asset
                case 0 { done := call(most, receiver, units, 0, 0, 0, 0) }
                default {
                    mstore(4, receiver)
                    mstore(36, units)
                    done := call(most, asset, 0, 0, 68, 0, 0)
                }
                if done { made := or(made, bit) }
                if most { log0(0, 0) }
            }
            mstore(0, made)
            log0(0, 32)
        }
    }
}
