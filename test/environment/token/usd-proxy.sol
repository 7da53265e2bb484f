// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// What stands at the token's address: as USDC's, it hands every call to the implementation that its storage names, and its
/// admin can put another one there; here anyone may. Compiled like `usd-token.sol`.
contract UsdProxy {
    /// keccak256("org.zeppelinos.proxy.implementation"), where USDC's proxy keeps it.
    bytes32 private constant SLOT = 0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3;

    event Upgraded(address implementation);

    function implementation() public view returns (address target) {
        assembly ("memory-safe") {
            target := sload(SLOT)
        }
    }

    function upgradeTo(address target) external {
        assembly ("memory-safe") {
            sstore(SLOT, target)
        }
        emit Upgraded(target);
    }

    fallback() external payable {
        address target = implementation();
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), target, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(done) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}
